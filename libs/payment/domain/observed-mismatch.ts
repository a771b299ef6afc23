import type { Observation, ObservedIntent } from './observation.js';
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

/** The statuses of an attempt that has the payer's money, or may still collect it. */
const COLLECTING: ReadonlySet<string | null> = new Set([
  'processing',
  'authorized',
  'to_capture',
  'capture_sent',
  'captured',
  'disputed',
]);

/**
 * The mismatch if the amount or the currency of the intent, or of the attempt that pays it, differs
 * from our request; null if all are equal. Neither a capture nor a refund changes the amount of an
 * attempt. An attempt that collects nothing is not compared.
 */
export const moneyMismatch = (
  { terms }: Exclude<Payment, { status: 'none' }>,
  { intent, attempts }: Observation,
): Mismatch | null => {
  const latest = attempts?.at(-1);
  const paid = latest !== undefined && COLLECTING.has(latest.status) ? latest.money : undefined;
  for (const { amountMinor, currency } of [intent, paid ?? intent]) {
    if (currency !== terms.currency) {
      return { aspect: 'currency', expected: terms.currency, observed: currency };
    }
    if (amountMinor !== terms.amountMinor) {
      const expected = String(terms.amountMinor);
      return { aspect: 'amount', expected, observed: String(amountMinor) };
    }
  }
  return null;
};

/** Whether the provider has shown an amount or a currency that differs from our request. */
export const takesOtherMoney = (payment: Payment): boolean =>
  'mismatches' in payment && payment.mismatches.some((key) => /^(?:amount|currency):/.test(key));
