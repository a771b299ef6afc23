import { done } from '#jobs';
import { exists, isPaid, isPastCancel } from '#payment';
import { intentOnly, isProviderError, MISSING } from '#psp';
import { callIntent, type IntentCall, observed, readIntent } from './intent-call.js';
import type { Effect, EffectContext } from './payment-effect.js';

const cancelCall = ({ capabilities }: EffectContext): IntentCall => ({
  call: 'cancel',
  send: ({ client }, { intentId }) => client.cancelIntent(intentId),
  // The intent's status is taken from the response; the attempts are added if they can be read.
  observe: async ({ client }, answer) => {
    try {
      return await client.details(answer);
    } catch (error) {
      if (!isProviderError(error)) throw error;
      return intentOnly(answer);
    }
  },
  isPast: ({ status }) => isPastCancel(status, capabilities.cancelableUntil),
});

/**
 * Cancels an intent, which releases an authorization. The intent is read first: when the order has
 * expired but the payer paid at the last moment, nothing is canceled.
 */
export const cancel: Effect = async (context) => {
  const { payment, client, capabilities } = context;
  if (!exists(payment)) return done(`not needed: the payment is ${payment.status}`);
  const isUnknown = payment.unknown.includes('cancel');
  if (payment.cancel === null && !isUnknown) {
    return done(`no longer requested: the payment is ${payment.status}`);
  }
  // The provider cannot cancel the intent; the scheduled reads will show its final status.
  if (capabilities.cancelableUntil === null) return done(MISSING.cancelableUntil);
  const call = cancelCall(context);
  const intent = await readIntent(context, payment);
  if ('next' in intent) return intent;
  const { status } = intent;
  const isUnneeded = payment.cancel === null || (payment.cancel === 'expiry' && isPaid(status));
  if (!call.isPast(intent) && !isUnneeded) return callIntent(call, context, payment);
  const observation = await client.details(intent);
  return done(`the intent shows ${status}`, observed(call, observation, context));
};
