import type { Capabilities, IntentStatus, Unrecognized } from '#psp';

type Shown = IntentStatus | Unrecognized;

/** Whether an intent of this status can be captured now. */
export const isCapturable = (status: Shown): boolean => status === 'authorized';

/**
 * What a capture leads to, or what makes it impossible for good. A status that we do not know, or
 * one from before the authorization (an old read), is none of these: look again.
 */
const PAST_CAPTURE: ReadonlySet<Shown> = new Set<Shown>([
  'to_capture',
  'capture_sent',
  'captured',
  'canceled',
  'unpaid',
]);

export const isPastCapture = (status: Shown): boolean => PAST_CAPTURE.has(status);

/** What no cancel can change any more, of a provider that cancels until `until`. */
export const isPastCancel = (
  status: Shown,
  until: Capabilities['cancelableUntil'] = 'to_capture',
): boolean => isPastCapture(status) && (status !== 'to_capture' || until !== 'to_capture');

/** The payer has paid: an order's expiry takes nothing back from there on. */
const PAID: ReadonlySet<Shown> = new Set<Shown>(['processing', 'authorized', 'to_capture']);

export const isPaid = (status: Shown): boolean => PAID.has(status);
