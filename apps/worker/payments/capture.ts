import { done, retryLater } from '#jobs';
import { DAY_MS, type Instant, MINUTE_MS, msOf, SECOND_MS } from '#kernel';
import {
  type Capture,
  exists,
  isCapturable,
  isPastCapture,
  isShownOneByOne,
  moneyMismatch,
  openCapture,
  type Payment,
  type PaymentCommand,
} from '#payment';
import { type IntentFacts, intentOnly, type NewCapture } from '#psp';
import { callIntent, type IntentCall, observed, readIntent, type Rejected } from './intent-call.js';
import type { Effect, EffectContext } from './payment-effect.js';

const newCapture = (
  { capabilities, payment: { terms } }: EffectContext,
  { captureId: reference, amountMinor, isFinal }: Capture,
): NewCapture => ({
  reference,
  amountMinor:
    !capabilities.partialCapture && amountMinor === terms.amountMinor ? null : amountMinor,
  isFinal: isFinal === true || amountMinor === terms.amountMinor,
});

/**
 * Whether the intent shows the requested capture, or shows that no capture is possible any more.
 */
const shows = ({ status, captures = [] }: IntentFacts, wanted: Capture | null): boolean =>
  isPastCapture(status) || captures.some(({ reference }) => reference === wanted?.captureId);

/**
 * Decides whether a rejection by the provider makes the capture fail; after a failure, the platform
 * can request a new capture. A partial capture fails if the request is invalid (422), or if its
 * amount exceeds the uncaptured rest. Any other conflict (409) may be temporary. The capture does
 * not fail while an earlier request for it may still arrive, because a new capture would then
 * collect the amount twice. A capture of the whole authorized amount is retried or needs an
 * operator.
 */
const rejectPart = (
  { payment, job, capabilities, now }: EffectContext,
  { captures = [] }: IntentFacts,
  { captureId, amountMinor }: Capture,
  { status, reason }: Rejected,
): PaymentCommand | null => {
  if (!exists(payment)) return null;
  const { terms, unknown } = payment;
  const takenMinor = captures.reduce((sum, capture) => sum + capture.amountMinor, 0);
  const isTooMuch = amountMinor > terms.amountMinor - takenMinor;
  const isPart = amountMinor < terms.amountMinor || captures.length > 0;
  const mayArrive = unknown.includes('capture') || job.attempts > 1;
  if (!capabilities.partialCapture || !isPart || mayArrive) return null;
  if (status !== 422 && !isTooMuch) return null;
  return { type: 'RejectCapture', captureId, reason, at: now() };
};

const captureCall = (wanted: Capture): IntentCall => ({
  call: 'capture',
  send: (context, { intentId }) =>
    context.client.captureIntent(intentId, newCapture(context, wanted)),
  observe: (_context, answer) => Promise.resolve(intentOnly(answer)),
  isPast: (intent) => shows(intent, wanted),
  reject: (context, intent, rejected) => rejectPart(context, intent, wanted, rejected),
});

/**
 * The maximum retry interval. It is short on an authorization's last day, because the authorization
 * could expire during a long interval.
 */
export const maxBackoffForCapture = (payment: Payment, now: Instant): number | null => {
  // After a first partial capture the state no longer contains the authorization's expiry, so the
  // interval is always short.
  if (exists(payment) && isShownOneByOne(payment.captures)) return 15 * MINUTE_MS;
  if (payment.status !== 'authorized') return null;
  const leftMs = msOf(payment.expiresAt) - msOf(now);
  return leftMs > 0 && leftMs < DAY_MS ? 15 * MINUTE_MS : null;
};

/**
 * Whether this process read the authorization just before the commit that requested the capture; if
 * so, a second read is unnecessary.
 */
const isJustAuthorized = ({ job, payment }: EffectContext): boolean =>
  job.isBegun &&
  payment.status === 'authorized' &&
  // The difference may be negative, because the clock of the process that read the authorization
  // may be ahead.
  Math.abs(msOf(job.dueAt) - msOf(payment.authorizedAt)) < SECOND_MS;

/**
 * Sends the requested capture. The intent is read first, except when the authorization has just
 * been read. The capture is sent only if the intent allows a capture and does not show this capture
 * yet. After a call with an unknown result the capture is sent in the same way: if the first call
 * arrives late, the provider accepts only one of the two calls.
 */
export const capture: Effect = async (context) => {
  const { payment, client } = context;
  if (!exists(payment)) return done(`not needed: the payment is ${payment.status}`);
  const wanted = payment.cancel === 'cancellation' ? null : openCapture(payment.captures);
  const isUnknown = payment.unknown.includes('capture');
  if (wanted === null && !isUnknown) {
    return done(`no longer requested: the payment is ${payment.status}`);
  }
  if (wanted !== null && !isUnknown && isJustAuthorized(context)) {
    return callIntent(captureCall(wanted), context, payment);
  }
  const intent = await readIntent(context, payment);
  if ('next' in intent) return intent;
  const isOurMoney = moneyMismatch(payment, intentOnly(intent)) === null;
  const isShown = shows(intent, wanted);
  if (wanted !== null && isOurMoney && isCapturable(intent.status) && !isShown) {
    return callIntent(captureCall(wanted), context, payment);
  }
  const command = observed({ call: 'capture' }, await client.details(intent), context);
  if (!isOurMoney)
    return done('the intent shows another amount or currency than requested', command);
  const note = `the intent shows ${intent.status}`;
  return wanted === null || isShown ? done(note, command) : retryLater(note, command);
};
