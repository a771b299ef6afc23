import { type Currency, type Instant, newId } from '#kernel';
import { DISPUTE_FEE_MINOR, type Method } from '../../money/fees.js';
import type { NewLine } from '../../money/waiting-lines.js';
import { scopeOf } from '../../storage/account-scope.js';
import { partOf } from '../../storage/table.js';
import type { Unit } from '../../storage/unit.js';
import { PAYMENTS } from '../payments/payment-resource.js';
import { paymentMachine, type PaymentStatus } from '../payments/states.js';
import { type DisputeRow, DISPUTES } from './dispute-resource.js';
import { disputeMachine } from './dispute-states.js';
import { answerDueAt } from './move-dispute.js';

/** The fields of a payment that a dispute uses. */
export interface DisputedPayment {
  readonly id: string;
  readonly account_id: string;
  readonly live: boolean;
  readonly status: PaymentStatus;
  readonly intent_id: string;
  readonly single_call: boolean;
  readonly method: Method;
  readonly order_id: string | null;
  readonly currency: Currency;
}

/**
 * Updates only the columns that a dispute changes, because one transaction may change thousands of
 * payments.
 */
export const DISPUTED_PAYMENTS = partOf(PAYMENTS, 'pq', 'status', 'due_at');

/**
 * Opens a dispute of a captured payment: deducts the amount not yet refunded (`leftMinor`,
 * positive) and a fee. A SEPA return cannot be contested. The intent does not change, and no event
 * is sent. Returns the dispute and its payout line, which the caller inserts. Call while holding
 * the intent's lock.
 */
export const openDispute = (
  unit: Unit,
  payment: DisputedPayment,
  leftMinor: number,
  response: string,
  at: Instant,
): { readonly dispute: DisputeRow; readonly line: NewLine } => {
  const { method, currency } = payment;
  const isReturn = method === 'sepa';
  const standing = isReturn ? disputeMachine.next('open', 'rule_out') : 'open';
  const dispute: DisputeRow = {
    id: newId('dspt'),
    ...scopeOf(payment),
    status: standing,
    type: isReturn ? 'sepa_return' : 'chargeback',
    payment_id: payment.id,
    intent_id: payment.single_call ? null : payment.intent_id,
    order_id: payment.order_id,
    amount: leftMinor,
    currency,
    fee: DISPUTE_FEE_MINOR,
    response,
    payout_id: null,
    created_at: at,
    due_at: answerDueAt(standing, at),
  };
  const status = paymentMachine.next(payment.status, 'dispute');
  unit.change(DISPUTED_PAYMENTS, { id: payment.id, status, due_at: null });
  unit.insert(DISPUTES, dispute);
  const line: NewLine = {
    ...scopeOf(payment),
    kind: 'dispute',
    payment_id: payment.id,
    refund_id: null,
    dispute_id: dispute.id,
    method,
    amount: dispute.amount,
    fee: dispute.fee,
    currency,
    created_at: at,
  };
  return { dispute, line };
};
