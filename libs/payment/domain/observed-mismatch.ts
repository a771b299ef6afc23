import type { ObservedIntent } from './observation.js';
import type { MismatchAspect } from './payment-event.js';
import { exists, type Payment } from './payment.js';

/** What of an intent cannot be, as it is told. */
export interface Mismatch {
  readonly aspect: MismatchAspect;
  readonly expected: string;
  readonly observed: string;
}

type Live = Exclude<Payment, { status: 'none' | 'rejected' }>;

/**
 * Why an intent is not the payment's: it carries another reference than ours, or none, or is not the
 * one that the payment has. Null where it is. Identity never changes.
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

/** What the intent takes from the payer, where it is not what the payment asked for. */
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

/** Whether the provider has shown that the payer would pay other money than was asked for. */
export const takesOtherMoney = (payment: Payment): boolean =>
  'mismatches' in payment && payment.mismatches.some((told) => /^(?:amount|currency):/.test(told));
