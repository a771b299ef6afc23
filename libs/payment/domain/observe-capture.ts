import type { Instant } from '#kernel';
import { type Capture, impliedCaptureId, isLive, openCapture, takenByCaptures } from './capture.js';
import type { CapturablePayment } from './captured.js';
import type { ObservedCapture, ObservedIntent } from './observation.js';
import type { PaymentEvent } from './payment-event.js';
import type { Existing } from './payment.js';

/** The capture that the intent's status is about: the one that was asked for, or the implied one. */
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

const idOf = ({ reference, captureId }: ObservedCapture): string => reference ?? captureId;

export const isKnownCapture = ({ captures }: Existing, seen: ObservedCapture): boolean =>
  captures.some(({ captureId }) => captureId === idOf(seen));

/** How far along each status is. */
const PLACE: Readonly<Record<Capture['status'], number>> = {
  requested: 0,
  accepted: 1,
  sent: 2,
  captured: 3,
  failed: 3,
};

const SHOWN = ['accepted', 'sent', 'captured'] as const;

const isShown = (status: string): status is (typeof SHOWN)[number] =>
  (SHOWN as readonly string[]).includes(status);

const mismatch = (expected: string, observed: string, at: Instant): PaymentEvent => ({
  type: 'ProviderMismatchObserved',
  aspect: 'capture',
  expected,
  observed,
  at,
});

/** One capture as the provider shows it. It moves forward, never back. */
export const observeCapture = (
  { terms, captures }: CapturablePayment,
  seen: ObservedCapture,
  at: Instant,
): PaymentEvent[] => {
  const { captureId: providerCaptureId, amountMinor, status } = seen;
  const captureId = idOf(seen);
  const known = captures.find((one) => one.captureId === captureId);
  const shown = `${captureId} ${amountMinor}`;
  if (known !== undefined && known.amountMinor !== amountMinor) {
    return [mismatch(`${captureId} ${known.amountMinor}`, shown, at)];
  }
  const leftMinor = terms.amountMinor - takenByCaptures(captures);
  if (known === undefined && amountMinor > leftMinor) {
    return [mismatch(`at most ${leftMinor}`, shown, at)];
  }
  if (!isShown(status) || known?.status === 'failed') {
    return [mismatch(`${captureId} ${known?.status ?? 'a known status'}`, status, at)];
  }
  const told = { captureId, amountMinor, providerCaptureId, at };
  const moves: readonly PaymentEvent[] = [
    { type: 'CaptureAccepted', ...told },
    { type: 'CaptureSent', ...told },
    { type: 'PaymentCaptured', ...told },
  ];
  return moves.slice(PLACE[known?.status ?? 'requested'], PLACE[status]);
};

/** The statuses of an intent of which nothing more can be captured, and something was. */
const CLOSED: ReadonlySet<string> = new Set(['to_capture', 'capture_sent', 'captured']);

/** Nothing more can be captured: what was not is released, and a request that is not shown fails. */
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
