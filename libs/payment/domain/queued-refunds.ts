import type { Instant } from '#kernel';
import { capturedMinor, hasMoney } from './captured.js';
import type { PaymentEvent } from './payment-event.js';
import { evolve } from './payment-evolve.js';
import { type Existing, exists, isOver, type Payment } from './payment.js';
import {
  openRequest,
  type QueuedRefund,
  queuedRefunds,
  takenByRefunds,
} from './refunds-and-disputes.js';

/** Requests the queued refund, or rejects it if it can never be made; null while it must wait. */
const next = (refund: QueuedRefund, payment: Existing, at: Instant): PaymentEvent | null => {
  const { requestId, amountMinor, reference, reason } = refund;
  const rejected = (why: string): PaymentEvent => ({
    type: 'RefundRejected',
    requestId,
    amountMinor,
    reason: why,
    at,
  });
  if (isOver(payment)) return rejected(`the payment has ended: its status is ${payment.status}`);
  if (!hasMoney(payment)) return null;
  const { captures, refunds, disputes } = payment;
  if (disputes.length > 0) return rejected('the payer has disputed the payment');
  if (openRequest(refunds) !== null) return null;
  const others = refunds.filter(({ status }) => status !== 'queued');
  const leftMinor = Math.max(0, capturedMinor(payment) - takenByRefunds(others));
  if (amountMinor <= leftMinor) {
    return { type: 'RefundRequested', requestId, amountMinor, reference, reason, at };
  }
  if (captures.some(({ status }) => status === 'accepted')) return null;
  return rejected(`at most ${leftMinor} (in minor units) can be refunded`);
};

/**
 * The events of the queued refunds that follow from a change of the payment. Refunds that can never
 * be made are rejected. The oldest of the others is requested once enough is captured and no other
 * request is open.
 */
export const advanceQueuedRefunds = (payment: Payment, at: Instant): readonly PaymentEvent[] => {
  if (!exists(payment)) return [];
  const [oldest] = queuedRefunds(payment.refunds);
  const event = oldest === undefined ? null : next(oldest, payment, at);
  return event === null ? [] : [event, ...advanceQueuedRefunds(evolve(payment, event), at)];
};
