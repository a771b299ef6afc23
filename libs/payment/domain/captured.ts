import { isLive, sumOf, takenByCaptures } from './capture.js';
import { type Existing, exists, type Payment } from './payment.js';
import { takenByRefunds } from './refunds-and-disputes.js';

/** The payments whose captures may be in progress. */
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
 * The amount in minor units that may still be captured. It is zero after a final capture, and after
 * the rest of the authorization was released.
 */
export const capturableMinor = (payment: Payment): number => {
  if (!mayHaveCaptures(payment) || payment.releasedMinor !== null) return 0;
  const { terms, captures } = payment;
  if (captures.some((one) => isLive(one) && one.isFinal === true)) return 0;
  return terms.amountMinor - takenByCaptures(captures);
};

/**
 * The amount in minor units that the payer was charged: the sum of the captures that were sent to
 * clearing.
 */
export const capturedMinor = (payment: Payment): number =>
  exists(payment)
    ? sumOf(payment.captures.filter(({ status }) => status === 'sent' || status === 'captured'))
    : 0;

/** The payments whose money is not in clearing yet, but will be unless they are canceled or returned. */
export type CollectingPayment = Extract<Payment, { readonly status: 'processing' | 'to_capture' }>;

export const isCollecting = (payment: Payment): payment is CollectingPayment =>
  payment.status === 'processing' || payment.status === 'to_capture';

/** The payments that can be refunded now, or as soon as their money is sent to clearing. */
export type RefundablePayment = MoneyPayment | CollectingPayment;

export const isRefundable = (payment: Payment): payment is RefundablePayment =>
  isCollecting(payment) || hasMoney(payment);

/**
 * The amount in minor units that the payer was or will be charged. A direct debit has no capture
 * before it is sent to clearing; it collects the whole amount.
 */
const collectedMinor = (payment: RefundablePayment): number => {
  switch (payment.status) {
    case 'processing':
      return payment.terms.amountMinor;
    case 'to_capture':
      return sumOf(payment.captures.filter((one) => one.status === 'accepted'));
    case 'capture_sent':
    case 'captured':
      return capturedMinor(payment);
  }
};

/**
 * The amount in minor units for which a refund can be requested now; zero after a dispute. A refund
 * that is requested before clearing is queued.
 */
export const refundableMinor = (payment: Payment): number => {
  if (!isRefundable(payment) || payment.disputes.length > 0) return 0;
  // The difference is negative if a refund made directly at the provider leaves less than the
  // amount of an open refund request; nothing can be refunded then.
  return Math.max(0, collectedMinor(payment) - takenByRefunds(payment.refunds));
};

/**
 * The maximum sum of all refunds, in minor units. For a returned debit this is the whole amount:
 * nothing was collected in the end, but refunds made before the return may be observed late.
 */
export const refundCeilingMinor = (payment: Existing): number =>
  payment.status === 'returned' ? payment.terms.amountMinor : capturedMinor(payment);
