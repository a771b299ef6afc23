import { type Broken, type Check, isLong, isLongChaos, type Story } from './check.js';

/**
 * The events that end a payment before its capture. The log may have one of them instead of the
 * event of the reported status.
 */
const ENDS = ['PaymentCanceled', 'AuthorizationExpired', 'DirectDebitReturned'];

/**
 * The events by the status that a webhook reports. When the webhook has been handled, the log must
 * have at least one of them. The statuses are those of the provider's intents and of its payments.
 */
const EVENTS_OF: Readonly<Record<string, readonly string[]>> = {
  processing: ['DirectDebitAccepted', ...ENDS],
  authorized: ['PaymentAuthorized', ...ENDS],
  to_capture: ['CaptureAccepted', 'DirectDebitAccepted', ...ENDS],
  capture_sent: ['CaptureSent', ...ENDS],
  captured: ['PaymentCaptured'],
  canceled: ['PaymentCanceled'],
  unpaid: ['AuthorizationExpired', 'DirectDebitReturned'],
};

/** A handled webhook that reported a status of one of our payments. */
interface Handled {
  readonly eventId: string;
  readonly status: string;
  readonly note: string;
  readonly receivedMs: number;
  readonly handledMs: number;
  /** The time of our first event with this status. */
  readonly recordedMs: number;
}

const handledIn = ({ payments, facts: { log, webhooks } }: Story): readonly Handled[] => {
  const firstMs = new Map<string, number>();
  for (const { streamId, type, recordedAt } of log) {
    const key = `${streamId} ${type}`;
    if (!firstMs.has(key)) firstMs.set(key, Date.parse(recordedAt));
  }
  // Other systems at the provider, and a log that was restored, have payments that we do not know.
  const known = new Set(payments.map(({ id }) => id));
  return webhooks.flatMap(({ paymentId, status, handledMs, ...webhook }): Handled[] => {
    const types = EVENTS_OF[status ?? ''];
    if (types === undefined || status === null || handledMs === null) return [];
    if (paymentId === null || !known.has(paymentId)) return [];
    const times = types.map((type) => firstMs.get(`${paymentId} ${type}`) ?? Infinity);
    return [{ ...webhook, status, handledMs, recordedMs: Math.min(...times) }];
  });
};

/** A tolerance, because the compared instants are rounded to milliseconds. */
const ROUNDING_MS = 1;
/**
 * The maximum median of the time until a webhook is handled. It may be exceeded by the few webhooks
 * that kills delay.
 */
const MAX_MEDIAN_MS = 10_000;

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Compares times, because polls later record every status, also those of webhooks that were wrongly
 * ignored.
 */
const webhooksReport: Check = {
  invariant: 6,
  name: 'when a webhook has been handled, the log has the status that it reported',
  verify: (story) => {
    const handled = handledIn(story);
    const news = handled.filter(({ recordedMs, receivedMs }) => recordedMs > receivedMs).length;
    const medianMs = medianOf(handled.map(({ receivedMs, handledMs }) => handledMs - receivedMs));
    const broken = handled
      .filter(({ recordedMs, handledMs }) => recordedMs > handledMs + ROUNDING_MS)
      .map(({ eventId, status, note }): Broken => ({
        id: eventId,
        why: `reported the status ${status}, which the log did not have when it was handled: ${note}`,
      }));
    if (isLongChaos(story.facts) && news === 0)
      broken.push({ id: 'all webhooks', why: 'none reported a status that the log did not have' });
    if (isLong(story.facts) && medianMs > MAX_MEDIAN_MS)
      broken.push({ id: 'all webhooks', why: `half were handled only after ${medianMs} ms` });
    return {
      figure: `${handled.length} webhooks, ${news} with a new status, handled after ${medianMs} ms (median)`,
      broken,
    };
  },
};

export const OBSERVATION_CHECKS: readonly Check[] = [webhooksReport];
