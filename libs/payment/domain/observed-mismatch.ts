import type { ObservedIntent } from './observation.js';
import type { MismatchAspect } from './payment-event.js';
import { exists, type Payment } from './payment.js';

/** A contradiction between the payment and the intent. */
export interface Mismatch {
  readonly aspect: MismatchAspect;
  readonly expected: string;
  readonly observed: string;
}

type Live = Exclude<Payment, { status: 'none' | 'rejected' }>;

/**
 * Why an intent is not the payment's: it has another reference, or none, or another id. Null where
 * it is the payment's.
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

/** Another amount or currency than the payment requested; null where both are right. */
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

/** Whether the provider has shown another amount or currency than was requested. */
export const takesOtherMoney = (payment: Payment): boolean =>
  'mismatches' in payment && payment.mismatches.some((key) => /^(?:amount|currency):/.test(key));
