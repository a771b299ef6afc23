import { instantFromMs } from '#kernel';
import type { Observation, ObservedAttempt } from '#payment';
import type { PaymentClient, WirePayment, WirePaymentIntent } from '#provider';

const methodOf = (method: string | null): ObservedAttempt['method'] =>
  method === 'card' || method === 'sepa' ? method : null;

const attemptOf = (payment: WirePayment): ObservedAttempt => ({
  attemptId: payment.id,
  status: payment.status,
  response: payment.response,
  method: methodOf(payment.method),
  createdAt: instantFromMs(payment.created * 1_000),
});

const intentOf = (intent: WirePaymentIntent): Observation['intent'] => ({
  intentId: intent.id,
  pageUrl: intent.url,
  status: intent.status,
  amountMinor: intent.amount,
  currency: intent.currency ?? 'eur',
});

/**
 * What the provider shows of an intent now. The intent is read first: attempts may then be newer
 * than it, which changes nothing, but never older than the status that they explain.
 */
export const readProvider = async (
  client: PaymentClient,
  intentId: string,
): Promise<Observation> => {
  const intent = await client.getIntent(intentId);
  const attempts = await client.listIntentPayments(intentId);
  return { intent: intentOf(intent), attempts: attempts.map(attemptOf).reverse() };
};
