import { isLive, sumOf, takenByCaptures } from './capture.js';
import { type Existing, exists, type Payment } from './payment.js';
import { takenByRefunds } from './refunds-and-disputes.js';

/** The payments that can have captures in progress. */
export type CapturablePayment = Extract<
  Existing,
  { readonly status: 'authorized' | 'to_capture' | 'capture_sent' | 'captured' }
>;

export const mayHaveCaptures = (payment: Payment): payment is CapturablePayment =>
  payment.status === 'authorized' ||
  payment.status === 'to_capture' ||
  payment.status === 'capture_sent' ||
  payment.status === 'captured';

/** The payments that can be refunded or disputed. */
export type MoneyPayment = Extract<Payment, { readonly status: 'capture_sent' | 'captured' }>;

export const hasMoney = (payment: Payment): payment is MoneyPayment =>
  payment.status === 'capture_sent' || payment.status === 'captured';

/**
 * The amount in minor units that may still be captured: none after a final capture or a release.
 */
export const capturableMinor = (payment: Payment): number => {
  if (!mayHaveCaptures(payment) || payment.releasedMinor !== null) return 0;
  const { terms, captures } = payment;
  if (captures.some((one) => isLive(one) && one.isFinal === true)) return 0;
  return terms.amountMinor - takenByCaptures(captures);
};

/** The amount in minor units that the payer was charged by captures that were sent. */
export const capturedMinor = (payment: Payment): number =>
  exists(payment)
    ? sumOf(payment.captures.filter(({ status }) => status === 'sent' || status === 'captured'))
    : 0;

/** The amount in minor units that can be refunded now: none after a dispute. */
export const refundableMinor = (payment: Payment): number => {
  if (!hasMoney(payment) || payment.disputes.length > 0) return 0;
  // The difference can be negative: a refund made directly at the provider may leave less than a
  // requested one needs.
  return Math.max(0, capturedMinor(payment) - takenByRefunds(payment.refunds));
};

/**
 * The maximum sum of all refunds, in minor units. A returned debit has collected nothing, but
 * refunds made before its return may be observed late, so the limit is its whole amount.
 */
export const refundCeilingMinor = (payment: Existing): number =>
  payment.status === 'returned' ? payment.terms.amountMinor : capturedMinor(payment);
