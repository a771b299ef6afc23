import type { Capabilities, IntentStatus, Unrecognized } from '#psp';

type Shown = IntentStatus | Unrecognized;

/** Whether an intent of this status can be captured now. */
export const isCapturable = (status: Shown): boolean => status === 'authorized';

/**
 * The statuses that show a capture's result or make it impossible for good. An unrecognised status,
 * or one from before the authorization (an old read), is none of these: read again.
 */
const PAST_CAPTURE: ReadonlySet<Shown> = new Set<Shown>([
  'to_capture',
  'capture_sent',
  'captured',
  'canceled',
  'unpaid',
]);

export const isPastCapture = (status: Shown): boolean => PAST_CAPTURE.has(status);

/** The statuses that a cancel cannot change any more, for a provider that cancels until `until`. */
export const isPastCancel = (
  status: Shown,
  until: Capabilities['cancelableUntil'] = 'to_capture',
): boolean => isPastCapture(status) && (status !== 'to_capture' || until !== 'to_capture');

/** The payer has paid: the order's expiry cancels nothing from here on. */
const PAID: ReadonlySet<Shown> = new Set<Shown>(['processing', 'authorized', 'to_capture']);

export const isPaid = (status: Shown): boolean => PAID.has(status);
