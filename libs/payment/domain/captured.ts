import { sumOf } from './capture.js';
import { type Existing, exists, type Payment } from './payment.js';

/** How much was captured, in minor units: what captures that were sent have taken of the payer. */
export const capturedMinor = (payment: Payment): number =>
  exists(payment)
    ? sumOf(payment.captures.filter(({ status }) => status === 'sent' || status === 'captured')) : 0;

/**
 * What refunds may take at most, in minor units. A debit that came back has taken nothing; what was
 * refunded of it before shows up late, and nothing tells any more whether it was sent.
 */
export const refundCeilingMinor = (payment: Existing): number =>
  payment.status === 'returned' ? payment.terms.amountMinor : capturedMinor(payment);
