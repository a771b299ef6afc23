import type { Instant } from '#kernel';

/**
 * `requested`: a read has not shown the capture yet. `accepted`: the provider will collect the
 * money. `sent`: the capture was sent to clearing. `captured`: the merchant has the money.
 * `failed`: nothing was collected, because the provider rejected the capture, or because the
 * payment was canceled, expired or returned before.
 */
export const CAPTURE_STATUSES = ['requested', 'accepted', 'sent', 'captured', 'failed'] as const;

export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

/** A requested or collected part of an authorized amount. */
export interface Capture {
  /** Our id (`cap_…`). */
  readonly captureId: string;
  /** In minor units of the payment's currency. */
  readonly amountMinor: number;
  readonly status: CaptureStatus;
  /** Present for the last capture: the rest of the authorization is released. */
  readonly isFinal?: true;
  /** The provider's id of the capture, if the provider shows captures. */
  readonly providerCaptureId?: string;
  /** When the capture was requested, or when its latest status was observed. */
  readonly at: Instant;
}

/**
 * The id of a capture that we did not request: the capture of a direct debit, a capture made
 * directly at the provider, or a capture in an event from before captures had ids. A payment has at
 * most one such capture, so its id is derived from the payment's id, and every process computes the
 * same id.
 */
export const impliedCaptureId = (paymentId: string): string =>
  paymentId.replace(/^(?:pay_)?/, 'cap_');

export const isLive = ({ status }: Capture): boolean => status !== 'failed';

/**
 * Whether the provider lists each capture. If it does, the status of the intent does not apply to
 * every capture.
 */
export const isShownOneByOne = (captures: readonly Capture[]): boolean =>
  captures.some(({ providerCaptureId }) => providerCaptureId !== undefined);

/** The requested capture that the provider has not shown yet. */
export const openCapture = (captures: readonly Capture[]): Capture | null =>
  captures.find(({ status }) => status === 'requested') ?? null;

/** The sum of all captures, in minor units. */
export const sumOf = (captures: readonly Capture[]): number =>
  captures.reduce((total, { amountMinor }) => total + amountMinor, 0);

/**
 * The amount in minor units of all captures that have not failed; this amount cannot be captured
 * again.
 */
export const takenByCaptures = (captures: readonly Capture[]): number =>
  sumOf(captures.filter(isLive));

/** Adds the capture of an event, or updates it if it is stored already. */
export const withCapture = (captures: readonly Capture[], shown: Capture): readonly Capture[] => {
  const isShown = ({ captureId }: Capture) => captureId === shown.captureId;
  if (!captures.some(isShown)) return [...captures, shown];
  return captures.map((one) => (isShown(one) ? { ...one, ...shown } : one));
};

const fail = (
  captures: readonly Capture[],
  statuses: readonly CaptureStatus[],
  at: Instant,
): readonly Capture[] =>
  captures.map((one) => (statuses.includes(one.status) ? { ...one, status: 'failed', at } : one));

/** Marks the captures that are not finished as failed, because the payment has ended. */
export const failOpen = (captures: readonly Capture[], at: Instant): readonly Capture[] =>
  fail(captures, ['requested', 'accepted', 'sent'], at);

/** Marks a capture that the provider rejected as failed. */
export const failCapture = (
  captures: readonly Capture[],
  captureId: string,
  at: Instant,
): readonly Capture[] =>
  captures.map((one) => (one.captureId === captureId ? { ...one, status: 'failed', at } : one));

/** Marks a requested capture as failed, because the authorization is closed. */
export const failRequested = (captures: readonly Capture[], at: Instant): readonly Capture[] =>
  fail(captures, ['requested'], at);
