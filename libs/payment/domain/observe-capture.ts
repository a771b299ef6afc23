import type { Instant } from '#kernel';
import { type Capture, impliedCaptureId, isLive, takenByCaptures } from './capture.js';
import type { ObservedCapture } from './observation.js';
import type { PaymentEvent } from './payment-event.js';
import type { Existing, Payment } from './payment.js';

/** The payments of which captures can be under way. */
type Captured = Extract<
  Existing, { readonly status: 'authorized' | 'to_capture' | 'capture_sent' | 'captured' }
>;

export const mayHaveCaptures = (payment: Payment): payment is Captured =>
  payment.status === 'authorized' || payment.status === 'to_capture' ||
  payment.status === 'capture_sent' || payment.status === 'captured';

/** The capture that the intent's status is about: the one that was asked for, or nobody's. */
export const captureOfIntent = (
  { terms, captures }: Existing, paymentId: string,
): Pick<Capture, 'captureId' | 'amountMinor'> => {
  const { captureId, amountMinor } = captures.findLast(isLive) ??
    { captureId: impliedCaptureId(paymentId), amountMinor: terms.amountMinor };
  return { captureId, amountMinor };
};

/** How far along each status is. */
const PLACE: Readonly<Record<Capture['status'], number>> = {
  requested: 0, accepted: 1, sent: 2, captured: 3, failed: 3,
};

const mismatch = (expected: string, observed: string, at: Instant): PaymentEvent =>
  ({ type: 'ProviderMismatchObserved', aspect: 'capture', expected, observed, at });

/**
 * One capture as a look at a provider that captures several times shows it; where a provider
 * captures once, the status of its intent tells instead. It moves forward, never back.
 */
export const observeCapture = (
  { terms, captures }: Captured, seen: ObservedCapture, at: Instant,
): PaymentEvent[] => {
  const { captureId, amountMinor, status } = seen;
  const known = captures.find((one) => one.captureId === captureId);
  const shown = `${captureId} ${amountMinor}`;
  if (known !== undefined && known.amountMinor !== amountMinor) {
    return [mismatch(`${captureId} ${known.amountMinor}`, shown, at)];
  }
  const leftMinor = terms.amountMinor - takenByCaptures(captures);
  if (known === undefined && amountMinor > leftMinor) {
    return [mismatch(`at most ${leftMinor}`, shown, at)];
  }
  const told = { captureId, amountMinor, at };
  const moves: readonly PaymentEvent[] = [
    { type: 'CaptureAccepted', ...told }, { type: 'CaptureSent', ...told },
    { type: 'PaymentCaptured', ...told },
  ];
  return moves.slice(PLACE[known?.status ?? 'requested'], PLACE[status]);
};
