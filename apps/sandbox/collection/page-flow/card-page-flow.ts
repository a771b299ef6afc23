import { Rejection } from '#kernel';
import { isId } from '../../api/ids.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { type Transaction, violatedConstraint } from '../../storage/database.js';
import { MerchantNames } from '../../storage/merchant-names.js';
import { Store } from '../../storage/store.js';
import type { Unit } from '../../storage/unit.js';
import { payerResponse } from '../banks/response-codes.js';
import { type CardInput, readCard, type TypedCard } from '../cards/card-input.js';
import { type Cards, SAME_CARD } from '../cards/cards.service.js';
import { type Aggregate, lockAggregate, readUntried } from '../payments/aggregate.js';
import type { CardAttempts } from '../payments/card-attempts.js';
import { mayBeConfirmed } from '../payments/guards.js';
import { authMachine, acceptsAttempt } from '../payments/states.js';
import { type Attempt, isOverdue, type Transitions } from '../payments/transitions.js';
import { withdrawCodesIfPaid } from '../payments/withdraw-codes.js';
import {
  type AuthOutcome,
  type AuthSessionView,
  type CardOutcome,
  PageFlow,
  type PageView,
} from './page-flow.js';
import { authSessionView, type PageRow, pageView, type SessionAggregate } from './page-views.js';
import { checkShown, type ShownAmount } from './shown-amount.js';

const VIEW = {
  name: 'page:view',
  text: `SELECT i.*, p.status AS payment_status, p.response, p.auth_session_id, p.auth_expires_at,
           p.auth_left_at, p.confirm_until
         FROM payment_intents i LEFT JOIN payments p ON p.id = i.payment_id WHERE i.id = $1`,
};
const INTENT_OF_SESSION = {
  name: 'page:intent-of-session',
  text: 'SELECT intent_id FROM payments WHERE auth_session_id = $1',
};

const notFound = (what: string): Rejection => new Rejection('not_found', `${what} is not known`);
/** A malformed id is rejected without a query: the query would fail for an id that contains NUL. */
const checkedIntentId = (intentId: string): string => {
  if (!isId('pi', intentId)) throw notFound('the payment');
  return intentId;
};
const sessionOver = (): Rejection =>
  new Rejection('session_over', 'the bank has closed this session');

/**
 * The payer's card payment on the hosted page. The card number and the security code are in memory
 * only while `submitCard` runs. A payment created in one call of the API has no hosted page, so the
 * bank's page sends the confirmation for it.
 */
export class CardPageFlow extends PageFlow {
  constructor(
    private readonly store: Store,
    private readonly names: MerchantNames,
    private readonly clock: SandboxClock,
    private readonly transitions: Transitions,
    private readonly cards: Cards,
    private readonly attempts: CardAttempts,
  ) {
    super();
  }

  override async view(intentId: string): Promise<PageView> {
    const row = await this.findRow(checkedIntentId(intentId));
    if (row.single_call) throw notFound('the payment');
    return this.viewOf(row);
  }

  override async submitCard(
    intentId: string,
    input: CardInput,
    shown: ShownAmount | null = null,
  ): Promise<CardOutcome> {
    const card = readCard(input, this.clock.now());
    try {
      return await this.submit(intentId, card, shown);
    } catch (error) {
      // A concurrent request has inserted the same card: try again with that card.
      if (violatedConstraint(error) !== SAME_CARD) throw error;
      return this.submit(intentId, card, shown);
    }
  }

  override async authSession(authSessionId: string): Promise<AuthSessionView> {
    const intentId = await this.intentOf(authSessionId);
    const visit = await this.store.decide(async (tx, unit) => {
      const held = this.session(await lockAggregate(tx, intentId), authSessionId);
      const arrived = arrivedAtBank(held);
      if (arrived !== held) this.transitions.arrive(unit, arrived, this.clock.now());
      else if (held.payment.auth_left_at !== null) this.transitions.setLeft(unit, held, null);
      return arrived;
    });
    return authSessionView(visit, await this.names.of(visit.intent));
  }

  override async decide(
    authSessionId: string,
    decision: 'approve' | 'refuse',
  ): Promise<AuthOutcome> {
    const intentId = await this.intentOf(authSessionId);
    return this.store.decide(async (tx, unit) => {
      const found = this.session(await lockAggregate(tx, intentId), authSessionId);
      // The payer pressed the button twice: only the first press has an effect.
      const again = decision === 'approve' ? 'success' : 'declined';
      if (found.auth === again) return { ...bankOutcome(found), intentId };
      const now = this.clock.now();
      if (isOverdue(found.payment, now)) throw sessionOver();
      const held = arrivedAtBank(found);
      if (!authMachine.can(held.auth, decision)) throw sessionOver();
      const decided = await this.attempts.decide(tx, unit, held, decision, now);
      await withdrawCodesIfPaid(tx, unit, decided.intent);
      return { ...bankOutcome(decided), intentId };
    });
  }

  override async leave(authSessionId: string): Promise<PageView> {
    const intentId = await this.intentOf(authSessionId);
    await this.store.decide(async (tx, unit) => {
      const held = this.session(await lockAggregate(tx, intentId), authSessionId);
      const now = this.clock.now();
      if (isOverdue(held.payment, now) || !authMachine.can(held.auth, 'give_up')) {
        throw sessionOver();
      }
      this.transitions.setLeft(unit, held, now);
    });
    return this.viewOf(await this.findRow(intentId));
  }

  override async confirm(intentId: string): Promise<PageView> {
    const known = checkedIntentId(intentId);
    const seen = await this.findRow(known);
    if (seen.status !== 'authorized') return this.viewOf(seen);
    await this.store.decide(async (tx, unit) => {
      const found = await lockAggregate(tx, known);
      if (found === null) throw notFound('the payment');
      const { intent, payment } = found;
      const now = this.clock.now();
      if (payment?.status !== 'authorized' || !mayBeConfirmed(payment, now)) return;
      this.transitions.confirm(unit, { intent, payment }, now);
    });
    return this.viewOf(await this.findRow(known));
  }

  private async viewOf(row: PageRow): Promise<PageView> {
    return pageView(row, await this.names.of(row));
  }

  private async findRow(intentId: string): Promise<PageRow> {
    const [row] = await this.store.database.query<PageRow>(VIEW, [intentId]);
    if (row === undefined) throw notFound('the payment');
    return row;
  }

  private async submit(
    intentId: string,
    typed: TypedCard,
    shown: ShownAmount | null,
  ): Promise<CardOutcome> {
    const known = checkedIntentId(intentId);
    return this.store.decideUnlocked(async (tx, unit) => {
      const { held, card: same } = await this.intentAndCard(tx, unit, known, typed);
      if (held === null || held.intent.single_call) throw notFound('the payment');
      if (!acceptsAttempt(held.intent.status) || !held.intent.methods_allowed.includes('card')) {
        throw new Rejection('not_payable', 'this payment no longer accepts a card');
      }
      checkShown(held.intent, shown);
      const now = this.clock.now();
      const card = await this.cards.use(tx, unit, same, typed, held.intent, now);
      const attempt = await this.attempts.begin(tx, unit, held, card, now);
      await withdrawCodesIfPaid(tx, unit, attempt.intent);
      const { auth_session_id: authSessionId } = attempt.payment;
      if (authSessionId !== null) return { next: 'secure_auth', authSessionId } as const;
      return bankOutcome(attempt);
    });
  }

  private async intentAndCard(tx: Transaction, unit: Unit, intentId: string, typed: TypedCard) {
    if (!tx.locks) return readUntried(tx, unit, intentId, this.cards.identityOf(typed));
    // PostgreSQL executes the two statements in this order, so the card is read after the lock is
    // taken; sending them together saves a round trip.
    const [held, card] = await Promise.all([
      lockAggregate(tx, intentId),
      this.cards.findForIntent(tx, typed, intentId),
    ]);
    return { held, card };
  }

  private session(found: Aggregate | null, authSessionId: string): SessionAggregate {
    const payment = found?.payment;
    if (found === null || payment === null || payment === undefined) throw sessionOver();
    const { auth_status: auth } = payment;
    // A newer payment attempt has replaced the attempt of this 3-D Secure session.
    if (payment.auth_session_id !== authSessionId || auth === null) throw sessionOver();
    return { intent: found.intent, payment, auth };
  }

  private async intentOf(authSessionId: string): Promise<string> {
    if (!/^auth_[a-zA-Z0-9]{24}$/.test(authSessionId)) throw notFound('the session');
    const [row] = await this.store.database.query<{ intent_id: string }>(INTENT_OF_SESSION, [
      authSessionId,
    ]);
    if (row === undefined) throw notFound('the session');
    return row.intent_id;
  }
}

/**
 * A decision at the bank implies that the payer arrived there, even if the bank's page was not
 * loaded.
 */
const arrivedAtBank = (held: SessionAggregate): SessionAggregate => {
  if (!authMachine.can(held.auth, 'arrive')) return held;
  const auth = authMachine.next(held.auth, 'arrive');
  return { ...held, payment: { ...held.payment, auth_status: auth }, auth };
};

const bankOutcome = ({ payment }: Attempt): Exclude<CardOutcome, { next: 'secure_auth' }> =>
  payment.response === '00'
    ? { next: 'confirm' }
    : { next: 'refused', ...payerResponse(payment.response ?? '') };
