import { Injectable } from '@nestjs/common';
import { type Currency, type Instant, newId } from '#kernel';
import { scopeOf } from '../../storage/account-scope.js';
import type { Transaction } from '../../storage/database.js';
import type { Unit } from '../../storage/unit.js';
import type { CardRow } from '../cards/card-resource.js';
import { signedAccount } from '../mandates/signed-account.js';
import { CardAttempts } from '../payments/card-attempts.js';
import { Debits } from '../payments/debits.js';
import { type IntentRow, INTENTS } from '../payments/intent-resource.js';
import { Transitions } from '../payments/transitions.js';
import type { SubscriptionRow } from './subscription-resource.js';

/**
 * The result of collecting an amount. Two results have no payment: an amount of zero counts as
 * paid, and an amount for which no payment method exists counts as missed.
 */
export interface Collected {
  readonly paid: boolean;
  readonly paymentId: string | null;
}

const CARD = {
  name: 'subscription:card',
  text: 'SELECT * FROM cards WHERE id = $1 AND deleted_at IS NULL',
};
/**
 * Selects the direct debits that may still be returned, or were returned; oldest first. Only the
 * intent of a returned debit is `unpaid`: the intent of a debit that was refused immediately accepts
 * a further attempt.
 */
const OPEN_DEBITS = {
  name: 'subscription:open-debits',
  text: `SELECT p.id, p.sepa_id, i.status = 'unpaid' AS is_returned
         FROM payments p JOIN payment_intents i ON i.id = p.intent_id
         WHERE p.id = ANY($1) AND p.method = 'sepa'
           AND (i.status = 'unpaid' OR p.status IN ('to_capture', 'capture_sent'))
         ORDER BY p.created_at, p.seq`,
};

/** A direct debit for a subscription, which is unsettled or was returned. */
export interface SubscriptionDebit {
  readonly id: string;
  /** The debited bank account, which may differ from the subscription's current bank account. */
  readonly sepa_id: string;
  /** True when the debit was accepted, and later returned by the payer's bank. */
  readonly is_returned: boolean;
}

/**
 * Creates the payments of subscriptions in the same way as `POST /v2/payments`. The payer is not
 * present, so the payments need no authentication and are captured immediately when approved.
 */
@Injectable()
export class Collection {
  constructor(
    private readonly transitions: Transitions,
    private readonly attempts: CardAttempts,
    private readonly debits: Debits,
  ) {}

  async collect(
    tx: Transaction,
    unit: Unit,
    row: SubscriptionRow,
    sum: { readonly amountMinor: number; readonly currency: Currency },
    now: Instant,
  ): Promise<Collected> {
    if (sum.amountMinor === 0) return { paid: true, paymentId: null };
    const intent = newIntent(row, sum, now);
    if (row.card_id !== null) return this.charge(tx, unit, intent, row.card_id, now);
    if (row.sepa_id !== null) return this.debit(tx, unit, intent, row.sepa_id, now);
    return { paid: false, paymentId: null };
  }

  /** Those of the direct debits that are unsettled, or were returned; oldest first. */
  async openDebits(
    tx: Transaction,
    { debit_ids: ids }: SubscriptionRow,
  ): Promise<readonly SubscriptionDebit[]> {
    return ids.length === 0 ? [] : tx.query<SubscriptionDebit>(OPEN_DEBITS, [ids]);
  }

  private async charge(
    tx: Transaction,
    unit: Unit,
    intent: IntentRow,
    cardId: string,
    now: Instant,
  ): Promise<Collected> {
    const [card] = await tx.query<CardRow>(CARD, [cardId]);
    if (card === undefined) return { paid: false, paymentId: null };
    unit.insert(INTENTS, intent);
    const held = { intent, payment: null };
    const attempt = await this.attempts.begin(tx, unit, held, card, now);
    const paymentId = attempt.payment.id;
    if (attempt.payment.status !== 'authorized') return { paid: false, paymentId };
    this.transitions.confirm(unit, attempt, now);
    return { paid: true, paymentId };
  }

  private async debit(
    tx: Transaction,
    unit: Unit,
    intent: IntentRow,
    sepaId: string,
    now: Instant,
  ): Promise<Collected> {
    // The subscription's prices are no longer in euros, and only euros can be debited.
    if (intent.currency !== 'eur') return { paid: false, paymentId: null };
    const { sepa, mandate } = await signedAccount(tx, intent, sepaId);
    if (sepa === null || mandate === null) return { paid: false, paymentId: null };
    unit.insert(INTENTS, intent);
    const held = { intent, payment: null };
    const attempt = await this.debits.begin(tx, unit, held, sepa, mandate, now);
    return { paid: attempt.payment.status === 'to_capture', paymentId: attempt.payment.id };
  }
}

const newIntent = (
  row: SubscriptionRow,
  { amountMinor, currency }: { readonly amountMinor: number; readonly currency: Currency },
  now: Instant,
): IntentRow => ({
  id: newId('pi'),
  ...scopeOf(row),
  status: 'require_payment_method',
  amount: amountMinor,
  currency,
  capture: true,
  methods_allowed: [row.card_id === null ? 'sepa' : 'card'],
  threeds: 'none',
  description: null,
  customer_id: row.customer_id,
  card_id: row.card_id,
  sepa_id: row.sepa_id,
  order_id: null,
  unique_id: null,
  return_url: null,
  date_settlement: null,
  metadata: null,
  billing_address: null,
  shipping_address: null,
  payment_id: null,
  single_call: true,
  created_at: now,
});
