import type { Instant } from '#kernel';
import { DAY_MS, HOUR_MS, instantFromMs, MINUTE_MS, msOf, SECOND_MS } from '#kernel';
import { capturableMinor } from './captured.js';
import { exists, type Existing, type Payment } from './payment.js';
import { isDisputeOver, type RefundStatus } from './refunds-and-disputes.js';

/**
 * The intervals between reads: the first read is after `firstMs`, and the interval doubles up to
 * `maxMs`.
 */
interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * A payment in a status that only the payer can change is read less and less often, until the payer
 * acts.
 */
const CHECKOUT: Backoff = { firstMs: 30 * SECOND_MS, maxMs: 6 * HOUR_MS };
const HELD: Backoff = { firstMs: 15 * MINUTE_MS, maxMs: 6 * HOUR_MS };
const OVERDUE: Backoff = { firstMs: 5 * MINUTE_MS, maxMs: 6 * HOUR_MS };

/**
 * How often a payment with an open dispute is read, by the age of the dispute, because no list of
 * the provider shows the bank's decision. Other changes of a captured payment are shown by the
 * provider's lists for the account and by payout lines.
 */
const DISPUTED: readonly { readonly untilAgeMs: number; readonly everyMs: number }[] = [
  { untilAgeMs: 7 * DAY_MS, everyMs: DAY_MS },
  { untilAgeMs: 60 * DAY_MS, everyMs: 7 * DAY_MS },
  { untilAgeMs: Infinity, everyMs: 30 * DAY_MS },
];

const afterTries = (at: Instant, { firstMs, maxMs }: Backoff, tries: number): Instant =>
  instantFromMs(msOf(at) + Math.min(firstMs * 2 ** Math.min(tries, 30), maxMs));

/** The next instant after `at` that has this time of day in UTC. */
const nextTimeOfDay = (at: Instant, timeOfDayMs: number): Instant => {
  const dayStart = Math.floor(msOf(at) / DAY_MS) * DAY_MS;
  const today = dayStart + timeOfDayMs;
  return instantFromMs(today > msOf(at) ? today : today + DAY_MS);
};

/**
 * The time of day, in UTC, at which the account's lists and the payouts' lines show the results of
 * the cut-off (22:00) and of clearing (06:00). docs/provider/payments-completion.md#states.
 */
const AFTER_LISTS_MS = 8 * HOUR_MS;

type Captured = Extract<Payment, { status: 'captured' }>;

const isUnderWay = (status: RefundStatus): boolean =>
  status === 'to_refund' || status === 'refund_sent';

const afterCapture = (payment: Captured, at: Instant, tries: number) => {
  const { captures, refunds, disputes } = payment;
  // The most advanced of several captures determines the payment's status, so other captures of a
  // captured payment may still be in progress.
  const isCapturing = captures.some(({ status }) => status !== 'captured' && status !== 'failed');
  if (isCapturing || refunds.some(({ status }) => isUnderWay(status))) {
    return afterClearing(at, tries);
  }
  // The payment is read until the uncaptured rest of its authorization expires, because the webhook
  // about the expiry may be lost.
  if (capturableMinor(payment) > 0) return afterTries(at, HELD, tries);
  const open = disputes.filter(({ status }) => !isDisputeOver(status));
  if (open.length === 0) return null;
  const ageMs = Math.min(...open.map(({ createdAt }) => msOf(at) - msOf(createdAt)));
  const row = DISPUTED.find(({ untilAgeMs }) => ageMs < untilAgeMs);
  return row === undefined ? null : instantFromMs(msOf(at) + row.everyMs);
};

/**
 * docs/provider/payments-completion.md#states: a refund is sent at a cut-off, and settles on the
 * following morning.
 */
const afterClearing = (at: Instant, tries: number): Instant =>
  tries > 1 ? afterTries(at, OVERDUE, tries - 2) : nextTimeOfDay(at, AFTER_LISTS_MS);

/** Whether a change of the payment restarts the schedule with its shortest interval. */
export const beginsSchedule = (before: Payment, after: Payment): boolean =>
  before.status !== after.status ||
  (exists(before) &&
    exists(after) &&
    (isCaptureNews(before, after) ||
      before.refunds !== after.refunds ||
      before.disputes !== after.disputes ||
      isPayerSeen(before, after)));

/**
 * Whether a capture has changed. Changes before the first capture was accepted do not count,
 * because until then the capture's job reads the payment.
 */
const isCaptureNews = (before: Existing, after: Existing): boolean =>
  before.status !== 'authorized' && before.captures !== after.captures;

/**
 * Whether the payer has acted: the payer has completed the payment page, or an attempt was refused,
 * after which the payer may try again.
 */
const isPayerSeen = (before: Existing, after: Existing): boolean =>
  before.pageCompleted !== after.pageCompleted ||
  before.refusedAttempts.length !== after.refusedAttempts.length;

/** docs/provider/payments-completion.md#states: the cut-off of the day. */
const CUT_OFF_MS = 22 * HOUR_MS;

/**
 * The time at which an accepted capture is expected to be seen as sent to clearing. `acceptedAt`:
 * when the capture was accepted.
 */
export const clearingSeenAt = (acceptedAt: Instant, now: Instant): Instant => {
  const cutOff = nextTimeOfDay(acceptedAt, CUT_OFF_MS);
  return nextTimeOfDay(msOf(cutOff) > msOf(now) ? cutOff : now, AFTER_LISTS_MS);
};

/**
 * docs/provider/payments-completion.md#states: on weekends banks do not settle. Bank holidays are
 * ignored: a read on a holiday shows nothing new.
 */
const isBankDay = (at: Instant): boolean => ![0, 6].includes(new Date(msOf(at)).getUTCDay());

/**
 * The time at which the provider's lists show the clearing of the last of the `count` bank days
 * after `at`.
 */
const afterBankDays = (at: Instant, count: number): Instant => {
  let morning = at;
  for (let left = count; left > 0;) {
    morning = nextTimeOfDay(morning, AFTER_LISTS_MS);
    if (isBankDay(morning)) left -= 1;
  }
  return morning;
};

/** The latest time at which a direct debit that is being processed at `at` is seen as settled. */
export const debitSettledAt = (at: Instant): Instant =>
  afterBankDays(nextTimeOfDay(at, CUT_OFF_MS), 2);

/**
 * docs/provider/payments-completion.md#states: a direct debit settles, or is returned, two bank
 * days after its cut-off. There are many debits, so none is read before that. `at` is at most a day
 * after the debit was sent.
 */
const afterDebit = (at: Instant, tries: number): Instant => {
  const cutOff = instantFromMs(msOf(nextTimeOfDay(at, CUT_OFF_MS)) - DAY_MS);
  return tries === 0 ? afterBankDays(cutOff, 2) : afterBankDays(at, 1);
};

/**
 * The time of the payment's next read, which is needed because webhooks may be lost. `null` if the
 * payment cannot change any more, or if the job of a provider request already reads the payment.
 * `tries` is the number of reads since the last change.
 */
export const nextReadAt = (payment: Payment, at: Instant, tries: number): Instant | null => {
  switch (payment.status) {
    case 'open':
      return afterTries(at, CHECKOUT, tries);
    case 'authorized':
      return afterTries(at, HELD, tries);
    case 'processing':
    case 'to_capture':
      return tries === 0 ? nextTimeOfDay(at, AFTER_LISTS_MS) : afterTries(at, OVERDUE, tries - 1);
    case 'capture_sent':
      if (payment.method === 'sepa') return afterDebit(at, tries);
      return tries === 0 ? nextTimeOfDay(at, AFTER_LISTS_MS) : afterTries(at, OVERDUE, tries - 1);
    case 'captured':
      return afterCapture(payment, at, tries);
    case 'none':
    case 'requested':
    case 'rejected':
    case 'canceled':
    case 'expired':
    case 'returned':
      return null;
  }
};
