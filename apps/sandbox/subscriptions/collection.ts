import { Injectable } from '@nestjs/common';
import { type Currency, type Instant, newId } from '#kernel';
import type { CardRow } from '../cards/card-row.js';
import type { Transaction } from '../database/database.js';
import type { Unit } from '../database/unit.js';
import type { MandateRow } from '../mandates/mandate-row.js';
import { CardAttempts } from '../payments/card-attempts.js';
import { Debits } from '../payments/debits.js';
import { INTENTS, type IntentRow } from '../payments/intent-row.js';
import type { PaymentRow } from '../payments/payment-row.js';
import { Transitions } from '../payments/transitions.js';
import type { SepaRow } from '../sepa/sepa-row.js';
import type { SubscriptionRow } from './subscription-row.js';

/** How it went: nothing to pay is paid, and nothing to pay with is missed, without a payment. */
export interface Collected {
  readonly paid: boolean;
  readonly paymentId: string | null;
}

const CARD = {
  name: 'subscription:card',
  text: 'SELECT * FROM cards WHERE id = $1 AND deleted_at IS NULL',
};
const SEPA_ACCOUNT = {
  name: 'subscription:sepa',
  text: 'SELECT * FROM sepa WHERE id = $1 AND deleted_at IS NULL',
};
/** Locked, so that it is not deleted while it is used. */
const SIGNED_MANDATE = {
  name: 'subscription:mandate',
  text: `SELECT * FROM mandates WHERE sepa_id = $1 AND status = 'signed'
         ORDER BY created_at DESC, seq DESC LIMIT 1 FOR SHARE`,
};
const PAYMENT_STATUS = {
  name: 'subscription:payment-status',
  text: 'SELECT status FROM payments WHERE id = $1',
};

/**
 * Makes the payments of subscriptions. They are payments like those of `POST /v2/payments`, with no
 * payer present, so no bank is asked for authentication and an approved one is captured at once.
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

  /** Where a payment stands: a direct debit may come back after it was accepted. */
  async statusOf(tx: Transaction, paymentId: string): Promise<PaymentRow['status'] | null> {
    const [row] = await tx.query<Pick<PaymentRow, 'status'>>(PAYMENT_STATUS, [paymentId]);
    return row?.status ?? null;
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
    const captured = this.transitions.capture(unit, attempt, now);
    this.transitions.tellPayment(unit, 'payment.succeeded', captured.payment, now);
    return { paid: true, paymentId };
  }

  private async debit(
    tx: Transaction,
    unit: Unit,
    intent: IntentRow,
    sepaId: string,
    now: Instant,
  ): Promise<Collected> {
    const account = await accountOf(tx, sepaId);
    if (account === null) return { paid: false, paymentId: null };
    unit.insert(INTENTS, intent);
    const held = { intent, payment: null };
    const { sepa, mandate } = account;
    const attempt = await this.debits.begin(tx, unit, held, sepa, mandate, now);
    return { paid: attempt.payment.status === 'to_capture', paymentId: attempt.payment.id };
  }
}

/** The account with the mandate that allows to debit it; null when there is none. */
export const accountOf = async (
  tx: Transaction,
  sepaId: string,
): Promise<{ readonly sepa: SepaRow; readonly mandate: MandateRow } | null> => {
  const [[sepa], [mandate]] = await Promise.all([
    tx.query<SepaRow>(SEPA_ACCOUNT, [sepaId]),
    tx.query<MandateRow>(SIGNED_MANDATE, [sepaId]),
  ]);
  return sepa === undefined || mandate === undefined ? null : { sepa, mandate };
};

const newIntent = (
  row: SubscriptionRow,
  { amountMinor, currency }: { readonly amountMinor: number; readonly currency: Currency },
  now: Instant,
): IntentRow => ({
  id: newId('pi'), live: row.live, status: 'require_payment_method', amount: amountMinor, currency,
  capture: true, methods_allowed: [row.card_id === null ? 'sepa' : 'card'], threeds: 'none',
  description: null, customer_id: row.customer_id, card_id: row.card_id, sepa_id: row.sepa_id,
  order_id: null, unique_id: null, return_url: null, date_settlement: null, metadata: null,
  billing_address: null, shipping_address: null, payment_id: null, single_call: true,
  created_at: now,
});
