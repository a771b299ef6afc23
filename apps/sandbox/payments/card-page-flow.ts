import { assert, type Instant, newId, plusMs, Rejection } from '#kernel';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { type Transaction, violatedConstraint } from '../database/database.js';
import type { CardRow, IntentRow } from '../database/rows.js';
import { Store } from '../database/store.js';
import type { Unit } from '../database/unit.js';
import { isId } from '../http/ids.js';
import { payerResponse } from '../response-codes.js';
import { testCardOf, testCardOfScenario } from '../test-values.js';
import { type Aggregate, customerOf, lockAggregate } from './aggregate.js';
import { AUTHENTICATION_REQUIRED, type BankPlan, planOf } from './bank.js';
import { fingerprintOf, readCard, type TypedCard } from './card-input.js';
import {
  type AuthOutcome, type AuthSessionView, type CardInput, type CardOutcome, PageFlow,
  type PageView,
} from './page-flow.js';
import { authSessionView, pageView, type SessionAggregate } from './page-views.js';
import type { FullPayment, Resources } from './resources.js';
import { authMachine, intentMachine } from './states.js';
import { AUTH_SESSION_MS, type Attempt, isOverdue, type Transitions } from './transitions.js';

const VIEW = {
  name: 'page:view',
  text: `SELECT i.*, p.status AS payment_status, p.response, p.auth_session_id, p.auth_expires_at
         FROM payment_intents i LEFT JOIN payments p ON p.id = i.payment_id WHERE i.id = $1`,
};
const CARD_BY_FINGERPRINT = {
  name: 'page:card',
  text: `SELECT * FROM cards WHERE live = $1 AND fingerprint = $2`,
};
const INTENT_OF_SESSION = {
  name: 'page:intent-of-session',
  text: 'SELECT intent_id FROM payments WHERE auth_session_id = $1',
};

const notFound = (what: string): Rejection => new Rejection('not_found', `${what} is not known`);
/** An id that we never give is not there, and the database, which takes no NUL, is not asked. */
const knownIntent = (intentId: string): string => {
  if (!isId('pi', intentId)) throw notFound('the payment');
  return intentId;
};
const sessionOver = (): Rejection =>
  new Rejection('session_over', 'the bank has closed this session');

/** The page's way to pay by card. No number or security code leaves `submitCard`. */
export class CardPageFlow extends PageFlow {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly transitions: Transitions,
    private readonly resources: Resources,
    private readonly fingerprintKey: Buffer,
  ) {
    super();
  }

  override async view(intentId: string): Promise<PageView> {
    const [row] = await this.store.database.query<Parameters<typeof pageView>[0]>(VIEW, [
      knownIntent(intentId),
    ]);
    if (row === undefined) throw notFound('the payment');
    return pageView(row);
  }

  override async submitCard(intentId: string, input: CardInput): Promise<CardOutcome> {
    const card = readCard(input, this.clock.now());
    try {
      return await this.submit(intentId, card);
    } catch (error) {
      // The same new card was typed twice at once: now it is a known one.
      if (violatedConstraint(error) !== 'cards_same_card') throw error;
      return this.submit(intentId, card);
    }
  }

  override async authSession(authSessionId: string): Promise<AuthSessionView> {
    const intentId = await this.intentOf(authSessionId);
    return this.store.decide(async (tx, unit) => {
      const held = this.session(await lockAggregate(tx, intentId), authSessionId);
      if (!authMachine.can(held.auth, 'arrive')) return authSessionView(held);
      return authSessionView(this.arrive(unit, held));
    });
  }

  override async decide(
    authSessionId: string,
    decision: 'approve' | 'refuse',
  ): Promise<AuthOutcome> {
    const intentId = await this.intentOf(authSessionId);
    return this.store.decide(async (tx, unit) => {
      const found = this.session(await lockAggregate(tx, intentId), authSessionId);
      // The button pressed twice: the first press has decided.
      const again = decision === 'approve' ? 'success' : 'declined';
      if (found.auth === again) return { ...bankOutcome(found), intentId };
      const now = this.clock.now();
      if (isOverdue(found.payment, now)) throw sessionOver();
      const held = authMachine.can(found.auth, 'arrive') ? this.arrive(unit, found) : found;
      if (!authMachine.can(held.auth, decision)) throw sessionOver();
      const payment = { ...held.payment, auth_status: authMachine.next(held.auth, decision) };
      const attempt = { intent: held.intent, payment };
      const decided =
        decision === 'approve'
          ? this.transitions.authorize(unit, attempt, responseOf(payment), now)
          : this.transitions.refuse(unit, attempt, AUTHENTICATION_REQUIRED, now);
      return { ...bankOutcome(decided), intentId };
    });
  }

  override async leave(authSessionId: string): Promise<PageView> {
    return this.view(await this.intentOf(authSessionId));
  }

  override async confirm(intentId: string): Promise<PageView> {
    const known = knownIntent(intentId);
    await this.store.decide(async (tx, unit) => {
      const found = await lockAggregate(tx, known);
      if (found === null) throw notFound('the payment');
      const { intent, payment } = found;
      const now = this.clock.now();
      if (payment === null || intent.status !== 'authorized' || !intent.capture) return;
      if (payment.confirm_until === null || now > payment.confirm_until) return;
      const captured = this.transitions.capture(unit, { intent, payment }, now);
      this.transitions.tellPayment(unit, 'payment.succeeded', captured.payment, now);
    });
    return this.view(intentId);
  }

  private async submit(intentId: string, typed: TypedCard): Promise<CardOutcome> {
    const known = knownIntent(intentId);
    return this.store.decide(async (tx, unit) => {
      const found = await lockAggregate(tx, known);
      if (found === null) throw notFound('the payment');
      const now = this.clock.now();
      const intent = this.readyForCard(unit, found, now);
      const plan = planOf(intent, typed.number);
      const card = await this.keepCard(tx, unit, intent, typed, now);
      const payment = await this.newPayment(tx, intent, card, plan, now);
      const { auth_session_id: authSessionId, ...rest } = payment;
      this.transitions.tellPayment(unit, 'payment.created', payment, now);
      const status = authSessionId === null
        ? intent.status
        : intentMachine.next(intent.status, 'ask_authentication');
      const attempt = { intent: { ...intent, status, payment_id: rest.id }, payment };
      this.transitions.begin(unit, attempt);
      if (authSessionId !== null) return { next: 'secure_auth', authSessionId } as const;
      return bankOutcome(this.transitions.authorize(unit, attempt, plan.response, now));
    });
  }

  /** The intent, free for a new attempt: a session still open at the bank is given up. */
  private readyForCard(unit: Unit, { intent, payment }: Aggregate, now: Instant): IntentRow {
    const payable = intent.status.startsWith('require_') && intent.methods_allowed.includes('card');
    if (!payable) throw new Rejection('not_payable', 'this payment takes no card any more');
    if (intent.status !== 'require_authentication' || payment === null) return intent;
    return this.transitions.giveUp(unit, { intent, payment }, 'give_up', now).intent;
  }

  private async keepCard(
    tx: Transaction,
    unit: Unit,
    intent: IntentRow,
    typed: TypedCard,
    now: Instant,
  ): Promise<CardRow> {
    const fingerprint = fingerprintOf(typed, this.fingerprintKey);
    const [known] = await tx.query<CardRow>(CARD_BY_FINGERPRINT, [intent.live, fingerprint]);
    if (known !== undefined) return known;
    const testCard = testCardOf(typed.number);
    const card: CardRow = {
      id: newId('card'), live: intent.live, fingerprint,
      scenario: testCard?.scenario ?? null,
      brand: testCard === undefined ? 'unknown' : 'sandbox', last4: typed.last4,
      exp_month: typed.expMonth, exp_year: typed.expYear, country: testCard?.country ?? null,
      funding: testCard === undefined ? null : 'debit', network: null, nature: null,
      name: typed.name, zip_code: null, customer_id: intent.customer_id, external_id: null,
      created_at: now, deleted_at: null,
    };
    unit.insert('cards', card);
    unit.tell('card.created', card.live, this.resources.card(card), now);
    return card;
  }

  private async newPayment(
    tx: Transaction,
    intent: IntentRow,
    card: CardRow,
    plan: BankPlan,
    now: Instant,
  ): Promise<FullPayment> {
    const until = plan.authenticate ? plusMs(now, AUTH_SESSION_MS) : null;
    const notEnrolled = plan.testCard?.threeds === 'not_enrolled';
    return {
      id: newId('paym'), live: intent.live, intent_id: intent.id, status: 'awaiting_bank',
      amount: intent.amount, currency: intent.currency, capture: intent.capture, response: null,
      method: 'card', card_id: card.id, customer_id: intent.customer_id,
      order_id: intent.order_id, unique_id: intent.unique_id, description: intent.description,
      auth_status: until === null
        ? (notEnrolled ? 'unavailable' : null)
        : authMachine.next('available', 'request'),
      auth_session_id: until === null ? null : newId('auth'),
      auth_return_url: until === null ? null : intent.return_url, auth_expires_at: until,
      date_settlement: intent.date_settlement, date_bank: null, created_at: now,
      authorized_at: null, confirm_until: null, due_at: until,
      card, customer: await customerOf(tx, intent),
    };
  }

  private arrive(unit: Unit, held: SessionAggregate): SessionAggregate {
    const auth = authMachine.next(held.auth, 'arrive');
    const payment = { ...held.payment, auth_status: auth };
    this.transitions.keep(unit, { intent: held.intent, payment });
    return { intent: held.intent, payment, auth };
  }

  private session(found: Aggregate | null, authSessionId: string): SessionAggregate {
    const payment = found?.payment;
    if (found === null || payment === null || payment === undefined) throw sessionOver();
    const { auth_status: auth } = payment;
    // Another attempt has taken this one's place.
    if (payment.auth_session_id !== authSessionId || auth === null) throw sessionOver();
    return { intent: found.intent, payment, auth };
  }

  private async intentOf(authSessionId: string): Promise<string> {
    if (!/^auth_[a-zA-Z0-9]{24}$/.test(authSessionId)) throw notFound('the session');
    const [row] = await this.store.database.query<{ intent_id: string }>(
      INTENT_OF_SESSION, [authSessionId],
    );
    if (row === undefined) throw notFound('the session');
    return row.intent_id;
  }
}

/** What the bank answers for a card that has already been authenticated: by its scenario. */
const responseOf = (payment: FullPayment): string => {
  const response = testCardOfScenario(payment.card?.scenario ?? '')?.response;
  assert(response !== undefined, 'only a test card is sent to the bank');
  return response;
};

const bankOutcome = ({ payment }: Attempt): Exclude<CardOutcome, { next: 'secure_auth' }> =>
  payment.response === '00'
    ? { next: 'confirm' }
    : { next: 'refused', ...payerResponse(payment.response ?? '') };
