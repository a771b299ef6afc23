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

/** What a dispute needs to know of its payment. */
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

/** Only what a dispute changes of its payment: there may be thousands in a chunk. */
export const DISPUTED_PAYMENTS = partOf(PAYMENTS, 'pq', 'status', 'due_at');

/**
 * The payer declined a captured payment: what is left of it (`leftMinor`, which is positive) and a
 * fee are taken back, for the payer has what was refunded. A direct debit that comes back
 * cannot be contested. The intent stays as it is, and no event tells of it.
 * Returns the dispute and its line, which the caller adds. Under the intent's lock.
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
