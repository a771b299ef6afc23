import { isLive, sumOf, takenByCaptures } from './capture.js';
import { type Existing, exists, type Payment } from './payment.js';
import { takenByRefunds } from './refunds-and-disputes.js';

/** The payments of which captures can be under way. */
export type CapturablePayment = Extract<
  Existing,
  { readonly status: 'authorized' | 'to_capture' | 'capture_sent' | 'captured' }
>;

export const mayHaveCaptures = (payment: Payment): payment is CapturablePayment =>
  payment.status === 'authorized' ||
  payment.status === 'to_capture' ||
  payment.status === 'capture_sent' ||
  payment.status === 'captured';

/** The payments of which money can go back. */
export type MoneyPayment = Extract<Payment, { readonly status: 'capture_sent' | 'captured' }>;

export const hasMoney = (payment: Payment): payment is MoneyPayment =>
  payment.status === 'capture_sent' || payment.status === 'captured';

/** Minor units that may still be captured: none after a final capture or a release. */
export const capturableMinor = (payment: Payment): number => {
  if (!mayHaveCaptures(payment) || payment.releasedMinor !== null) return 0;
  const { terms, captures } = payment;
  if (captures.some((one) => isLive(one) && one.isFinal === true)) return 0;
  return terms.amountMinor - takenByCaptures(captures);
};

/** How much was captured, in minor units: what captures that were sent have taken of the payer. */
export const capturedMinor = (payment: Payment): number =>
  exists(payment)
    ? sumOf(payment.captures.filter(({ status }) => status === 'sent' || status === 'captured'))
    : 0;

/** Minor units that a refund may take now. After a dispute nothing is refunded. */
export const refundableMinor = (payment: Payment): number => {
  if (!hasMoney(payment) || payment.disputes.length > 0) return 0;
  // One that was made by hand may leave too little for one that is asked for.
  return Math.max(0, capturedMinor(payment) - takenByRefunds(payment.refunds));
};

/**
 * What refunds may take at most, in minor units. A debit that came back has taken nothing; what was
 * refunded of it before shows up late, and nothing tells any more whether it was sent.
 */
export const refundCeilingMinor = (payment: Existing): number =>
  payment.status === 'returned' ? payment.terms.amountMinor : capturedMinor(payment);
