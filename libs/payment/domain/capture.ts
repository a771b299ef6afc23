import type { Instant } from '#kernel';

/**
 * `requested`: asked of us, and not seen at the provider yet. `accepted`: the provider will take the
 * money. `sent`: it is taking it. `captured`: the merchant has it. `failed`: the payment was
 * cancelled, expired or came back before, and the capture took nothing.
 */
export const CAPTURE_STATUSES = ['requested', 'accepted', 'sent', 'captured', 'failed'] as const;

export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

/** Money taken, or to be taken, of what the payer has authorized. */
export interface Capture {
  /** Ours (`cap_…`). */
  readonly captureId: string;
  /** In the payment's currency. */
  readonly amountMinor: number;
  readonly status: CaptureStatus;
  /** No other follows it: what is left of the authorization is released. */
  readonly isFinal?: true;
  /** Of a provider that shows captures: its own id. */
  readonly providerCaptureId?: string;
  /** When it was asked for, or its latest status was learnt. */
  readonly at: Instant;
}

/**
 * The capture that nobody asked us for: of a direct debit, of one captured at the provider, and of a
 * history from before captures had ids. A payment has at most one, so its id follows from the
 * payment's, and is the same whoever sees it first.
 */
export const impliedCaptureId = (paymentId: string): string =>
  paymentId.replace(/^(?:pay_)?/, 'cap_');

export const isLive = ({ status }: Capture): boolean => status !== 'failed';

/** The provider shows captures, so the status of its intent does not say which one it is about. */
export const isShownOneByOne = (captures: readonly Capture[]): boolean =>
  captures.some(({ providerCaptureId }) => providerCaptureId !== undefined);

/** The capture that was asked for and that the provider has not shown yet. */
export const openCapture = (captures: readonly Capture[]): Capture | null =>
  captures.find(({ status }) => status === 'requested') ?? null;

/** Minor units of all of them. */
export const sumOf = (captures: readonly Capture[]): number =>
  captures.reduce((total, { amountMinor }) => total + amountMinor, 0);

/** Minor units that can be captured no second time: asked for, on their way, and captured. */
export const takenByCaptures = (captures: readonly Capture[]): number =>
  sumOf(captures.filter(isLive));

/** A capture of an event: the known one moves on, another one is added. */
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

/** The payment has ended: what was not captured never will be. */
export const failOpen = (captures: readonly Capture[], at: Instant): readonly Capture[] =>
  fail(captures, ['requested', 'accepted', 'sent'], at);

/** The authorization is closed: what the provider has not accepted it never will. */
export const failRequested = (captures: readonly Capture[], at: Instant): readonly Capture[] =>
  fail(captures, ['requested'], at);
