import { type Currency, DAY_MS, type Instant, plusMs } from '#kernel';
import { dateOf, nextMorning } from '../../money/bank-days.js';
import { type Method, paymentFee } from '../../money/fees.js';
import type { NewLine } from '../../money/waiting-lines.js';
import { scopeOf } from '../../storage/account-scope.js';
import { partOf } from '../../storage/table.js';
import type { Unit } from '../../storage/unit.js';
import { plannedDispute } from '../banks/planned-dispute.js';
import { type IntentRow, INTENTS } from '../payments/intent-resource.js';
import { PAYMENTS } from '../payments/payment-resource.js';
import { intentMachine, paymentMachine, type PaymentStatus } from '../payments/states.js';
import { debitSettlesAt } from './debit-clearing.js';

/** The fields of a payment that clearing uses. */
export interface ClearedPayment {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly intent_id: string;
  readonly single_call: boolean;
  readonly status: PaymentStatus;
  readonly method: Method;
  readonly amount: number;
  readonly currency: Currency;
  readonly order_id: string | null;
  /** The scenario of the payment's test card or IBAN. */
  readonly scenario: string | null;
  readonly due_at: Instant;
}

/**
 * Updates only the columns that clearing changes, because a day has many payments and their rows
 * are long.
 */
const CLEARED_INTENTS = partOf(INTENTS, 'ic', 'status');
const SENT_PAYMENTS = partOf(PAYMENTS, 'ps', 'status', 'due_at');
const CAPTURED_PAYMENTS = partOf(
  PAYMENTS,
  'pc',
  'status',
  'fee',
  'date_bank',
  'captured_at',
  'due_at',
);

/**
 * Marks a payment as sent to the bank at the cut-off. The intent of a direct debit is `processing`
 * until the debit has settled. This step sends no events. See
 * docs/provider/payments-completion.md#states.
 */
export const sendCapture = (
  unit: Unit,
  intent: Pick<IntentRow, 'id' | 'status'>,
  payment: ClearedPayment,
): void => {
  const { id, method, due_at: at } = payment;
  const status = paymentMachine.next(payment.status, 'cut_off');
  const settlesAt = method === 'sepa' ? debitSettlesAt(at) : nextMorning(at);
  unit.change(SENT_PAYMENTS, { id, status, due_at: settlesAt });
  if (method === 'sepa') return;
  unit.change(CLEARED_INTENTS, {
    id: intent.id,
    status: intentMachine.next(intent.status, 'cut_off'),
  });
};

/**
 * Marks a payment as settled: sets its fee and returns its payout line, which the caller inserts. A
 * payment by a test card or IBAN with a dispute scenario is disputed a day later.
 */
export const settleCapture = (
  unit: Unit,
  intent: Pick<IntentRow, 'id' | 'status'>,
  payment: ClearedPayment,
): NewLine => {
  const { id, method, amount, currency, due_at: at } = payment;
  const fee = paymentFee(method, amount);
  const isDisputed = plannedDispute(method, payment.scenario) !== null;
  unit.change(CAPTURED_PAYMENTS, {
    id,
    status: paymentMachine.next(payment.status, 'clear'),
    fee,
    date_bank: dateOf(at),
    captured_at: at,
    due_at: isDisputed ? plusMs(at, DAY_MS) : null,
  });
  unit.change(CLEARED_INTENTS, {
    id: intent.id,
    status: intentMachine.next(intent.status, 'clear'),
  });
  return {
    ...scopeOf(payment),
    kind: 'payment',
    payment_id: id,
    refund_id: null,
    dispute_id: null,
    method,
    amount,
    fee,
    currency,
    created_at: at,
  };
};
