import type { Instant } from '#kernel';
import { type Capture, impliedCaptureId, isLive, openCapture, takenByCaptures } from './capture.js';
import { capturedMinor, type CapturablePayment } from './captured.js';
import { phasesBetween } from './intent-track.js';
import type { ObservedCapture, ObservedIntent } from './observation.js';
import type { PaymentEvent } from './payment-event.js';
import type { Existing, IntentPhase } from './payment.js';
import { isMade, takenByRefunds } from './refunds-and-disputes.js';

/**
 * The capture to which the intent's status applies: the requested capture, or a capture that we did
 * not request.
 */
export const captureOfIntent = (
  { terms, captures }: Existing,
  paymentId: string,
): Pick<Capture, 'captureId' | 'amountMinor'> => {
  const { captureId, amountMinor } = captures.findLast(isLive) ?? {
    captureId: impliedCaptureId(paymentId),
    amountMinor: terms.amountMinor,
  };
  return { captureId, amountMinor };
};

const idOf = ({ reference, captureId }: Omit<ObservedCapture, 'status'>): string =>
  reference ?? captureId;

export const isKnownCapture = ({ captures }: Existing, seen: ObservedCapture): boolean =>
  captures.some(({ captureId }) => captureId === idOf(seen));

/** The sequence of the statuses of a capture. */
const PLACE = { requested: 0, accepted: 1, sent: 2, captured: 3 } as const;

/** The phase of an intent, by the status of its most advanced capture. */
const PHASE_OF = {
  accepted: 'to_capture',
  sent: 'capture_sent',
  captured: 'captured',
} as const satisfies Record<string, IntentPhase>;

const isShown = (status: string): status is keyof typeof PHASE_OF =>
  Object.hasOwn(PHASE_OF, status);

const mismatch = (expected: string, observed: string, at: Instant): PaymentEvent => ({
  type: 'PaymentMismatchObserved',
  aspect: 'capture',
  expected,
  observed,
  at,
});

/**
 * Marks a capture request as rejected, because the captures that the provider shows leave too
 * little for the requested amount.
 */
const crowdedOut = ({ captureId, amountMinor }: Capture, at: Instant): PaymentEvent => ({
  type: 'CaptureRejected',
  captureId,
  amountMinor,
  reason: 'the other captures that the provider shows leave less than the amount of this capture',
  at,
});

/**
 * Whether the recorded capture can have the shown amount instead of its own: a positive amount in
 * the payment's currency that covers what the provider has refunded.
 */
const mayHaveAmount = (
  payment: CapturablePayment,
  known: Capture,
  { amountMinor }: ObservedCapture,
  currency: string,
): boolean => {
  if (currency !== payment.terms.currency || amountMinor <= 0) return false;
  if (known.status !== 'sent' && known.status !== 'captured') return true;
  const chargedMinor = capturedMinor(payment) - known.amountMinor + amountMinor;
  return chargedMinor >= takenByRefunds(payment.refunds.filter(isMade));
};

/**
 * Records one capture as the provider shows it. The status only moves forward, except that a
 * capture recorded as failed is no longer failed when the provider shows it. A capture that is
 * shown with another amount is a mismatch, and its next status is recorded with the shown amount,
 * because that is what the payer is charged.
 */
export const observeCapture = (
  payment: CapturablePayment,
  seen: ObservedCapture,
  { currency, at }: { readonly currency: string; readonly at: Instant },
): PaymentEvent[] => {
  const { terms, captures } = payment;
  const { captureId: providerCaptureId, amountMinor, status } = seen;
  const captureId = idOf(seen);
  const known = captures.find((one) => one.captureId === captureId);
  const shown = `${captureId} ${amountMinor}`;
  const changed =
    known === undefined || known.amountMinor === amountMinor
      ? null
      : mismatch(`${captureId} ${known.amountMinor}`, shown, at);
  if (changed && known && !mayHaveAmount(payment, known, seen, currency)) return [changed];
  if (!isShown(status)) {
    return [mismatch(`${captureId} ${known?.status ?? 'a known status'}`, status, at)];
  }
  const from = known === undefined || known.status === 'failed' ? 'requested' : known.status;
  const facts = { captureId, amountMinor, providerCaptureId, at };
  const moves: readonly PaymentEvent[] = [
    { type: 'CaptureAccepted', ...facts },
    { type: 'CaptureSent', ...facts },
    { type: 'PaymentCaptured', ...facts },
  ];
  const news = [...(changed ? [changed] : []), ...moves.slice(PLACE[from], PLACE[status])];
  const others = captures.filter((one) => one !== known);
  const leftMinor = terms.amountMinor - takenByCaptures(others);
  if (amountMinor <= leftMinor) return news;
  const open = openCapture(others);
  if (open !== null && amountMinor <= leftMinor + open.amountMinor) {
    return [crowdedOut(open, at), ...news];
  }
  return [changed ?? mismatch(`at most ${leftMinor}`, shown, at)];
};

/**
 * Records a mismatch if a card payment has ended and the provider shows a capture that cannot have
 * been made before its end.
 */
export const observeEndedCapture = (
  { status: end }: Existing,
  { status, ...capture }: ObservedCapture,
  at: Instant,
): PaymentEvent[] => {
  const mayPrecede = !isShown(status) || phasesBetween(end, PHASE_OF[status], 'card') !== null;
  return mayPrecede ? [] : [mismatch(end, `${idOf(capture)} ${status}`, at)];
};

/** The statuses of an intent whose authorization is closed: no further capture is possible. */
const CLOSED: ReadonlySet<string> = new Set(['to_capture', 'capture_sent', 'captured']);

/**
 * Records that no further capture is possible: the rest of the authorization is released, and an
 * open capture request fails.
 */
export const observeClosing = (
  payment: CapturablePayment,
  { status, captures: seen = [] }: ObservedIntent,
  at: Instant,
): PaymentEvent[] => {
  if (payment.releasedMinor !== null || seen.length === 0 || !CLOSED.has(status)) return [];
  const takenMinor = seen.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const releasedMinor = payment.terms.amountMinor - takenMinor;
  const isAll = releasedMinor === 0 && openCapture(payment.captures) === null;
  return isAll || releasedMinor < 0 ? [] : [{ type: 'AuthorizationClosed', releasedMinor, at }];
};
