import { done, lookAgain } from '#jobs';
import { DAY_MS, type Instant, MINUTE_MS, msOf } from '#kernel';
import {
  type Capture,
  exists,
  type Existing,
  isCapturable,
  isPastCapture,
  isShownOneByOne,
  moneyMismatch,
  openCapture,
  type Payment,
} from '#payment';
import { type IntentFacts, intentOnly, type NewCapture } from '#psp';
import { callIntent, type IntentCall, observed, readIntent } from './intent-call.js';
import type { Effect } from './payment-effect.js';

const newCapture = (
  { terms }: Existing,
  { captureId: reference, amountMinor, isFinal }: Capture,
): NewCapture => {
  const isWhole = amountMinor === terms.amountMinor;
  return {
    reference,
    amountMinor: isWhole ? null : amountMinor,
    isFinal: isFinal === true || isWhole,
  };
};

/** Whether the intent shows what became of the capture, or that none is possible any more. */
const shows = ({ status, captures = [] }: IntentFacts, wanted: Capture | null): boolean =>
  isPastCapture(status) || captures.some(({ reference }) => reference === wanted?.captureId);

const captureCall = (wanted: Capture): IntentCall => ({
  call: 'capture',
  send: ({ client }, payment) =>
    client.captureIntent(payment.intentId, newCapture(payment, wanted)),
  observe: (_context, answer) => Promise.resolve(intentOnly(answer)),
  isPast: (intent) => shows(intent, wanted),
});

/** On an authorization's last day a capture is not put off for hours: its money would be lost. */
export const mostWaitForCapture = (payment: Payment, now: Instant): number | null => {
  // Of a further capture it is not known any more when its authorization ends.
  if (exists(payment) && isShownOneByOne(payment.captures)) return 15 * MINUTE_MS;
  if (payment.status !== 'authorized') return null;
  const leftMs = msOf(payment.expiresAt) - msOf(now);
  return leftMs > 0 && leftMs < DAY_MS ? 15 * MINUTE_MS : null;
};

/**
 * Makes the capture that was asked for. The intent is read first, and captured only while it shows
 * that more can be captured and not this capture, also after a call of unknown outcome: then nothing
 * was done yet, and should the lost call still arrive, the provider makes one capture of the two.
 */
export const capture: Effect = async (context) => {
  const { payment, client } = context;
  if (!exists(payment)) return done(`not needed: the payment is ${payment.status}`);
  const wanted = payment.cancel === 'cancellation' ? null : openCapture(payment.captures);
  const isUnknown = payment.unknown.includes('capture');
  if (wanted === null && !isUnknown) {
    return done(`not wanted any more: the payment is ${payment.status}`);
  }
  const intent = await readIntent(context, payment);
  if ('next' in intent) return intent;
  const isOurMoney = moneyMismatch(payment, intentOnly(intent).intent) === null;
  const isShown = shows(intent, wanted);
  if (wanted !== null && isOurMoney && isCapturable(intent.status) && !isShown) {
    return callIntent(captureCall(wanted), context, payment);
  }
  const command = observed({ call: 'capture' }, await client.details(intent), context);
  if (!isOurMoney) return done('the intent shows other money than was asked for', command);
  const note = `the intent shows ${intent.status}`;
  return wanted === null || isShown ? done(note, command) : lookAgain(note, command);
};
