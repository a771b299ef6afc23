import { instantFromMs, SECOND_MS } from '#kernel';
import type { PaymentClient, WirePayment, WirePaymentIntent } from '#provider';
import type { Observation, ObservedAttempt, ObservedIntent } from './domain/observation.js';

/** The part of the payment API that reading an intent takes. */
export type IntentReader = Pick<PaymentClient, 'getIntent' | 'listIntentPayments'>;

/** Specification, "Payment intent": the currency that an intent has when none is named. */
const DEFAULT_CURRENCY = 'eur';

const intentOf = (wire: WirePaymentIntent): ObservedIntent => ({
  intentId: wire.id,
  pageUrl: wire.url,
  status: wire.status,
  amountMinor: wire.amount,
  currency: wire.currency ?? DEFAULT_CURRENCY,
});

const attemptOf = (wire: WirePayment): ObservedAttempt => ({
  attemptId: wire.id,
  status: wire.status,
  response: wire.response,
  method: wire.method === 'card' || wire.method === 'sepa' ? wire.method : null,
  createdAt: instantFromMs(wire.created * SECOND_MS),
});

/** What the answer to a call shows: the intent, and nothing of its attempts. */
export const observationOfAnswer = (wire: WirePaymentIntent): Observation => ({
  intent: intentOf(wire),
  attempts: null,
});

/**
 * Completes an intent that was just read by its attempts. They are read after the intent, so an
 * attempt that the intent's status speaks of is among them. Throws a `ProviderError`.
 */
export const withAttempts = async (
  reader: IntentReader, wire: WirePaymentIntent,
): Promise<Observation> => {
  // `payment` is the latest attempt: without one there is no list to ask for.
  const attempts = wire.payment === null ? [] : await reader.listIntentPayments(wire.id);
  return { intent: intentOf(wire), attempts: attempts.map(attemptOf).toReversed() };
};

/**
 * One full look at an intent, for every door through which provider facts come (webhook, poll,
 * refresh, a call's outcome). Throws a `ProviderError`.
 */
export const readPayment = async (reader: IntentReader, intentId: string): Promise<Observation> =>
  withAttempts(reader, await reader.getIntent(intentId));
