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
  /** When it was asked for, or its latest status was learnt. */
  readonly at: Instant;
}

/**
 * What the provider of an account can do beside the capture of the whole amount. `partialCapture`:
 * less than what was authorized; `multipleCapture`: more than one capture of an authorization.
 */
export interface CaptureCapabilities {
  readonly partialCapture: boolean;
  readonly multipleCapture: boolean;
}

/**
 * The capture that nobody asked us for: of a direct debit, of one captured at the provider, and of a
 * history from before captures had ids. A payment has at most one, so its id follows from the
 * payment's, and is the same whoever sees it first.
 */
export const impliedCaptureId = (paymentId: string): string =>
  paymentId.replace(/^(?:pay_)?/, 'cap_');

export const isLive = ({ status }: Capture): boolean => status !== 'failed';

/** The capture that was asked for and that the provider has not shown yet. */
export const openCapture = (captures: readonly Capture[]): Capture | null =>
  captures.find(({ status }) => status === 'requested') ?? null;

/** Minor units of all of them. */
export const sumOf = (captures: readonly Capture[]): number =>
  captures.reduce((total, { amountMinor }) => total + amountMinor, 0);

/** Minor units that can be captured no second time: asked for, on their way, and captured. */
export const takenByCaptures = (captures: readonly Capture[]): number =>
  sumOf(captures.filter(isLive));

/** A capture that is told of: the known one moves on, another one is added. */
export const withCapture = (
  captures: readonly Capture[], told: Capture,
): readonly Capture[] => {
  const { captureId, status, at } = told;
  if (!captures.some((one) => one.captureId === captureId)) return [...captures, told];
  return captures.map((one) => (one.captureId === captureId ? { ...one, status, at } : one));
};

/** The payment has ended: what was not captured never will be. */
export const failOpen = (captures: readonly Capture[], at: Instant): readonly Capture[] =>
  captures.map((one) =>
    one.status === 'captured' || one.status === 'failed' ? one : { ...one, status: 'failed', at });
