import type { Instant } from '#kernel';

/**
 * `requested`: not observed at the provider yet. `accepted`: the provider will collect the money.
 * `sent`: it was sent to clearing. `captured`: the merchant has it. `failed`: the provider refused
 * it, or the payment was cancelled, expired or came back before, and nothing was collected.
 */
export const CAPTURE_STATUSES = ['requested', 'accepted', 'sent', 'captured', 'failed'] as const;

export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

/** A collected or requested amount of an authorization. */
export interface Capture {
  /** Our id (`cap_…`). */
  readonly captureId: string;
  /** In the payment's currency. */
  readonly amountMinor: number;
  readonly status: CaptureStatus;
  /** The last one: the rest of the authorization is released. */
  readonly isFinal?: true;
  /** The provider's id, where it shows captures. */
  readonly providerCaptureId?: string;
  /** When it was requested, or its latest status was observed. */
  readonly at: Instant;
}

/**
 * The id of a capture that was not requested: of a direct debit, of one made at the provider, or of
 * an event from before captures had ids. A payment has at most one, so its id is derived from the
 * payment's and is the same in every process.
 */
export const impliedCaptureId = (paymentId: string): string =>
  paymentId.replace(/^(?:pay_)?/, 'cap_');

export const isLive = ({ status }: Capture): boolean => status !== 'failed';

/** The provider shows captures, so its intent's status does not identify one of them. */
export const isShownOneByOne = (captures: readonly Capture[]): boolean =>
  captures.some(({ providerCaptureId }) => providerCaptureId !== undefined);

/** The requested capture that the provider has not shown yet. */
export const openCapture = (captures: readonly Capture[]): Capture | null =>
  captures.find(({ status }) => status === 'requested') ?? null;

/** The sum of all captures, in minor units. */
export const sumOf = (captures: readonly Capture[]): number =>
  captures.reduce((total, { amountMinor }) => total + amountMinor, 0);

/** Minor units that are requested, in progress or captured: they cannot be captured again. */
export const takenByCaptures = (captures: readonly Capture[]): number =>
  sumOf(captures.filter(isLive));

/** The captures with an event's capture: a stored one is updated, a new one is added. */
export const withCapture = (captures: readonly Capture[], shown: Capture): readonly Capture[] => {
  const isShown = ({ captureId }: Capture) => captureId === shown.captureId;
  if (!captures.some(isShown)) return [...captures, shown];
  return captures.map((one) =>
    isShown(one) ? { ...one, ...shown, amountMinor: one.amountMinor } : one,
  );
};

const fail = (
  captures: readonly Capture[],
  statuses: readonly CaptureStatus[],
  at: Instant,
): readonly Capture[] =>
  captures.map((one) => (statuses.includes(one.status) ? { ...one, status: 'failed', at } : one));

/** Captures that were not executed fail when the payment ends. */
export const failOpen = (captures: readonly Capture[], at: Instant): readonly Capture[] =>
  fail(captures, ['requested', 'accepted', 'sent'], at);

/** The provider rejected the capture. */
export const failCapture = (
  captures: readonly Capture[],
  captureId: string,
  at: Instant,
): readonly Capture[] =>
  captures.map((one) => (one.captureId === captureId ? { ...one, status: 'failed', at } : one));

/** The authorization is closed: a capture that was not accepted has failed. */
export const failRequested = (captures: readonly Capture[], at: Instant): readonly Capture[] =>
  fail(captures, ['requested'], at);
