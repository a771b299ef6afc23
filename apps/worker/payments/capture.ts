import { done, lookAgain } from '#jobs';
import { DAY_MS, type Instant, MINUTE_MS, msOf } from '#kernel';
import { exists, isCapturable, isPastCapture, moneyMismatch, type Payment } from '#payment';
import { intentOnly } from '#psp';
import { callIntent, type IntentCall, observed, readIntent } from './intent-call.js';
import type { Effect } from './payment-effect.js';

const CAPTURE: IntentCall = {
  call: 'capture',
  send: ({ client }, intentId) => client.captureIntent(intentId),
  observe: (_context, answer) => Promise.resolve(intentOnly(answer)),
  isPast: isPastCapture,
};

/** On an authorization's last day a capture is not put off for hours: its money would be lost. */
export const mostWaitForCapture = (payment: Payment, now: Instant): number | null => {
  if (payment.status !== 'authorized') return null;
  const leftMs = msOf(payment.expiresAt) - msOf(now);
  return leftMs > 0 && leftMs < DAY_MS ? 15 * MINUTE_MS : null;
};

/**
 * Captures an authorized intent. It is read first and captured only when it shows `authorized`,
 * also after a call of unknown outcome: then nothing was done yet, and should the lost call still
 * arrive, a second capture changes nothing at the provider.
 */
export const capture: Effect = async (context) => {
  const { payment, client } = context;
  if (!exists(payment)) return done(`not needed: the payment is ${payment.status}`);
  const isWanted = payment.status === 'authorized' && payment.cancel !== 'cancellation';
  const isUnknown = payment.unknown.includes('capture');
  if (!isWanted && !isUnknown) return done(`not wanted any more: the payment is ${payment.status}`);

  const intent = await readIntent(context, payment);
  if ('next' in intent) return intent;
  const isOurMoney = moneyMismatch(payment, intentOnly(intent).intent) === null;
  if (isWanted && isOurMoney && isCapturable(intent.status)) {
    return callIntent(CAPTURE, context, payment);
  }
  const command = observed(CAPTURE, await client.details(intent), context);
  if (!isOurMoney) return done('the intent shows other money than was asked for', command);
  const note = `the intent shows ${intent.status}`;
  return !isWanted || isPastCapture(intent.status) ? done(note, command) : lookAgain(note, command);
};
