import type { Capabilities, IntentStatus, Unrecognized } from '#psp';

type Shown = IntentStatus | Unrecognized;

/** Whether an intent of this status can be captured now. */
export const isCapturable = (status: Shown): boolean => status === 'authorized';

/**
 * The statuses that show the result of a capture, or in which a capture will never be possible. In
 * an unrecognised status, or in a status before the authorization, the payment must be read again.
 */
const PAST_CAPTURE: ReadonlySet<Shown> = new Set<Shown>([
  'to_capture',
  'capture_sent',
  'captured',
  'canceled',
  'unpaid',
]);

export const isPastCapture = (status: Shown): boolean => PAST_CAPTURE.has(status);

/**
 * The statuses in which a cancellation has no effect any more. The provider can cancel up to the
 * status `until`.
 */
export const isPastCancel = (
  status: Shown,
  until: Capabilities['cancelableUntil'] = 'to_capture',
): boolean => isPastCapture(status) && (status !== 'to_capture' || until !== 'to_capture');

/** The statuses in which the payer has paid: the expiry of the order then cancels nothing. */
const PAID: ReadonlySet<Shown> = new Set<Shown>(['processing', 'authorized', 'to_capture']);

export const isPaid = (status: Shown): boolean => PAID.has(status);
