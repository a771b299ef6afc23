import { Injectable } from '@nestjs/common';
import { assert, type Currency, type Instant, newId } from '#kernel';
import { invalid } from '../../api/api-error.js';
import { present } from '../../api/ids.js';
import { checkReferences } from '../../api/references.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import type { Method } from '../../money/fees.js';
import { type AccountScope, scopeOf } from '../../storage/account-scope.js';
import { findRow } from '../../storage/by-id.js';
import { type Transaction, violatedConstraint } from '../../storage/database.js';
import { Store } from '../../storage/store.js';
import type { Unit } from '../../storage/unit.js';
import { cardInBody, type TypedCard } from '../cards/card-input.js';
import { type CardCreate, type CardRow, CARDS } from '../cards/card-resource.js';
import { Cards, SAME_CARD } from '../cards/cards.service.js';
import type { SepaCreate } from '../sepa/sepa-resource.js';
import type { Aggregate } from './aggregate.js';
import { ApiAttempts } from './api-attempts.js';
import { Debits } from './debits.js';
import { InlineAccounts, refuseUsedRum } from './inline-accounts.js';
import { type IntentRow, INTENTS } from './intent-resource.js';
import type { FullPayment, PaymentCreate } from './payment-resource.js';
import type { Attempt } from './transitions.js';
import { withUniqueId } from './unique-ids.js';

/** The payment method in the body of `POST /v2/payments`. */
type Given =
  | { readonly method: 'card'; readonly card: string | CardCreate }
  | { readonly method: 'sepa'; readonly sepa: string | SepaCreate };

const refuse = (at: string, msg: string): Error =>
  invalid({ loc: ['body', at], msg, type: 'value_error' });

const idOf = (given: string | object | null | undefined): string | null =>
  typeof given === 'string' ? given : null;

/**
 * The customer named in the card or bank account data, when the body contains such data instead of
 * an id.
 */
const customerIn = (given: string | CardCreate | SepaCreate | null | undefined): string | null =>
  typeof given === 'object' ? (given?.customer ?? null) : null;

const meansIn = ({ card, sepa }: PaymentCreate): Given => {
  const [hasCard, hasSepa] = [(card ?? null) !== null, (sepa ?? null) !== null];
  if (hasCard && hasSepa)
    throw refuse('sepa', 'Input should be a card or a bank account, not both');
  if (card !== undefined && card !== null) return { method: 'card', card };
  if (sepa !== undefined && sepa !== null) return { method: 'sepa', sepa };
  throw invalid({ loc: ['body', 'card'], msg: 'Field required', type: 'missing' });
};

/**
 * Payments created in one call. See docs/provider/payments-completion.md#resources. Throws
 * `ApiError`.
 */
@Injectable()
export class SinglePayments {
  constructor(
    private readonly store: Store,
    private readonly clock: SandboxClock,
    private readonly cards: Cards,
    private readonly attempts: ApiAttempts,
    private readonly debits: Debits,
    private readonly accounts: InlineAccounts,
  ) {}

  /**
   * Creates a payment. The returned payment has the bank's response, or waits for the payer at
   * `auth.redirect_url`.
   */
  async create(scope: AccountScope, body: PaymentCreate): Promise<FullPayment> {
    const means = meansIn(body);
    const intent = hiddenIntent(scope, body, means.method, this.clock.now());
    await checkReferences(this.store.database, scope, [
      ['customer', intent.customer_id],
      ['card', idOf(body.card)],
      ['sepa', idOf(body.sepa)],
      [['card', 'customer'], customerIn(body.card)],
      [['sepa', 'customer'], customerIn(body.sepa)],
    ]);
    return withUniqueId(this.store.database, scope, intent.unique_id, async () => {
      try {
        return await this.pay(intent, means);
      } catch (error) {
        // A concurrent request has inserted the same card: try again with that card.
        if (violatedConstraint(error) === SAME_CARD) return this.pay(intent, means);
        return refuseUsedRum(error);
      }
    });
  }

  private async pay(intent: IntentRow, means: Given): Promise<FullPayment> {
    const typed =
      means.method === 'card' && typeof means.card !== 'string'
        ? cardInBody(means.card, intent.created_at, ['card'])
        : null;
    return this.store.decide(async (tx, unit) => {
      unit.insert(INTENTS, intent);
      const held = { intent, payment: null };
      const now = intent.created_at;
      const { payment } =
        means.method === 'card'
          ? await this.byCard(tx, unit, held, means.card, typed, now)
          : await this.byAccount(tx, unit, held, means.sepa, now);
      return payment;
    });
  }

  private async byCard(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    given: string | CardCreate,
    typed: TypedCard | null,
    now: Instant,
  ): Promise<Attempt> {
    const { customer_id } = held.intent;
    if (typeof given === 'string') {
      const card = present('card', given, await findRow<CardRow>(tx, CARDS, held.intent, given));
      return this.attempts.begin(tx, unit, held, card, now);
    }
    assert(typed !== null, 'the data of the card was validated');
    const card = await this.cards.findOrCreate(
      tx,
      unit,
      typed,
      {
        ...scopeOf(held.intent),
        customer_id: given.customer ?? customer_id,
        external_id: given.external_id ?? null,
        network: given.preferred_network ?? null,
        zip_code: given.zip_code ?? null,
      },
      now,
    );
    return this.attempts.begin(tx, unit, held, card, now);
  }

  private async byAccount(
    tx: Transaction,
    unit: Unit,
    held: Aggregate,
    given: string | SepaCreate,
    now: Instant,
  ): Promise<Attempt> {
    if (typeof given === 'string') return this.debits.reuse(tx, unit, held, given, now);
    const { sepa, mandate } = await this.accounts.keep(tx, unit, held.intent, given, now);
    return this.debits.begin(tx, unit, held, sepa, mandate, now);
  }
}

const currencyFor = (given: Currency | null | undefined, method: Method): Currency => {
  const currency = given ?? 'eur';
  if (method === 'sepa' && currency !== 'eur') {
    throw refuse('currency', 'Input should be eur, because direct debits are in euros only');
  }
  return currency;
};

/**
 * Creates the hidden intent of a payment created in one call: every change of the payment locks the
 * row of this intent. Without the field `auth` the payer does not authenticate.
 */
const hiddenIntent = (
  scope: AccountScope,
  body: PaymentCreate,
  method: Method,
  now: Instant,
): IntentRow => {
  const { auth = null } = body;
  const asked = auth !== null && auth !== false;
  return {
    id: newId('pi'),
    ...scopeOf(scope),
    status: 'require_payment_method',
    amount: body.amount,
    currency: currencyFor(body.currency, method),
    capture: body.capture ?? true,
    methods_allowed: [method],
    threeds: asked ? null : 'none',
    description: body.description ?? null,
    customer_id: body.customer ?? null,
    card_id: idOf(body.card),
    sepa_id: idOf(body.sepa),
    order_id: body.order_id ?? null,
    unique_id: body.unique_id ?? null,
    return_url: typeof auth === 'object' ? (auth?.return_url ?? null) : null,
    date_settlement: null,
    metadata: null,
    billing_address: null,
    shipping_address: null,
    payment_id: null,
    single_call: true,
    created_at: now,
  };
};
