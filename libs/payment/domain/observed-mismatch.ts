import type { ObservedIntent } from './observation.js';
import type { MismatchAspect } from './payment-event.js';
import { exists, type Payment } from './payment.js';

/** A contradiction between our payment and the provider's intent. */
export interface Mismatch {
  readonly aspect: MismatchAspect;
  readonly expected: string;
  readonly observed: string;
}

type Live = Exclude<Payment, { status: 'none' | 'rejected' }>;

/**
 * Why an intent does not belong to this payment: its reference is missing or different, or its id
 * is different. Null if it belongs to the payment.
 */
export const identityMismatch = (
  paymentId: string,
  payment: Live,
  { intentId, reference }: ObservedIntent,
): Mismatch | null => {
  if (exists(payment) && intentId !== payment.intentId) {
    return { aspect: 'intent', expected: payment.intentId, observed: intentId };
  }
  if (reference === paymentId) return null;
  return { aspect: 'intent', expected: paymentId, observed: reference ?? 'no reference' };
};

/**
 * The mismatch if the intent's amount or currency differs from our request; null if both are equal.
 */
export const moneyMismatch = (
  { terms }: Exclude<Payment, { status: 'none' }>,
  { amountMinor, currency }: ObservedIntent,
): Mismatch | null => {
  if (currency !== terms.currency) {
    return { aspect: 'currency', expected: terms.currency, observed: currency };
  }
  if (amountMinor === terms.amountMinor) return null;
  return { aspect: 'amount', expected: String(terms.amountMinor), observed: String(amountMinor) };
};

/** Whether the provider has shown an amount or a currency that differs from our request. */
export const takesOtherMoney = (payment: Payment): boolean =>
  'mismatches' in payment && payment.mismatches.some((key) => /^(?:amount|currency):/.test(key));
