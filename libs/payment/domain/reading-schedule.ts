import type { Instant } from '#kernel';
import { DAY_MS, HOUR_MS, instantFromMs, MINUTE_MS, msOf, SECOND_MS } from '#kernel';
import { capturableMinor } from './captured.js';
import { exists, type Existing, type Payment } from './payment.js';
import { isDisputeOver, type RefundStatus } from './refunds-and-disputes.js';

/** Reads begin after `firstMs` and come apart by doubling, up to `widestMs`. */
interface Widening {
  readonly firstMs: number;
  readonly widestMs: number;
}

/** What only a payer can change is read more rarely the older it is; a sign of a payer wakes it. */
const CHECKOUT: Widening = { firstMs: 30 * SECOND_MS, widestMs: 6 * HOUR_MS };
const HELD: Widening = { firstMs: 15 * MINUTE_MS, widestMs: 6 * HOUR_MS };
const OVERDUE: Widening = { firstMs: 5 * MINUTE_MS, widestMs: 6 * HOUR_MS };

/**
 * Of a captured payment the account's lists and its payouts' lines tell what comes: it is not read
 * by itself, unless a dispute is open, by that one's age, until it is decided: no list tells that.
 */
const DISPUTED: readonly { readonly untilAgeMs: number; readonly everyMs: number }[] = [
  { untilAgeMs: 7 * DAY_MS, everyMs: DAY_MS },
  { untilAgeMs: 60 * DAY_MS, everyMs: 7 * DAY_MS },
  { untilAgeMs: Infinity, everyMs: 30 * DAY_MS },
];

const afterTries = (at: Instant, { firstMs, widestMs }: Widening, tries: number): Instant =>
  instantFromMs(msOf(at) + Math.min(firstMs * 2 ** Math.min(tries, 30), widestMs));

/** The next time of day, in UTC, that is after `at`. */
const nextTimeOfDay = (at: Instant, timeOfDayMs: number): Instant => {
  const dayStart = Math.floor(msOf(at) / DAY_MS) * DAY_MS;
  const today = dayStart + timeOfDayMs;
  return instantFromMs(today > msOf(at) ? today : today + DAY_MS);
};

/**
 * docs/provider/payments-completion.md#states: the cut-off is at 22:00 UTC, the morning's clearing
 * at 06:00. What they do to a payment the account's lists tell, and the lines of its payouts; by
 * now they have.
 */
const AFTER_LISTS_MS = 8 * HOUR_MS;

type Captured = Extract<Payment, { status: 'captured' }>;

const isUnderWay = (status: RefundStatus): boolean =>
  status === 'to_refund' || status === 'refund_sent';

const afterCapture = (payment: Captured, at: Instant, tries: number) => {
  const { captures, refunds, disputes } = payment;
  // Of a provider that captures several times one may be done, and another not.
  const isCapturing = captures.some(({ status }) => status !== 'captured' && status !== 'failed');
  if (isCapturing || refunds.some(({ status }) => isUnderWay(status))) {
    return afterClearing(at, tries);
  }
  // No webhook tells for sure that what is left of an authorization has lapsed.
  if (capturableMinor(payment) > 0) return afterTries(at, HELD, tries);
  const open = disputes.filter(({ status }) => !isDisputeOver(status));
  if (open.length === 0) return null;
  const ageMs = Math.min(...open.map(({ createdAt }) => msOf(at) - msOf(createdAt)));
  const row = DISPUTED.find(({ untilAgeMs }) => ageMs < untilAgeMs);
  return row === undefined ? null : instantFromMs(msOf(at) + row.everyMs);
};

/**
 * docs/provider/payments-completion.md#states: a refund leaves at a cut-off, and is settled in the
 * morning after.
 */
const afterClearing = (at: Instant, tries: number): Instant =>
  tries > 1 ? afterTries(at, OVERDUE, tries - 2) : nextTimeOfDay(at, AFTER_LISTS_MS);

/** Whether what was learnt of a payment makes its schedule begin anew. */
export const beginsSchedule = (before: Payment, after: Payment): boolean =>
  before.status !== after.status ||
  (exists(before) &&
    exists(after) &&
    (isCaptureNews(before, after) ||
      before.refunds !== after.refunds ||
      before.disputes !== after.disputes ||
      isPayerSeen(before, after)));

/** Before the first capture is accepted, its call reads by itself. */
const isCaptureNews = (before: Existing, after: Existing): boolean =>
  before.status !== 'authorized' && before.captures !== after.captures;

/** The page has told of its end, or an attempt was refused: the payer may be about to try again. */
const isPayerSeen = (before: Existing, after: Existing): boolean =>
  before.pageFinished !== after.pageFinished ||
  before.refusedAttempts.length !== after.refusedAttempts.length;

/** docs/provider/payments-completion.md#states: the cut-off of the day. */
const CUT_OFF_MS = 22 * HOUR_MS;

/**
 * docs/provider/payments-completion.md#states: weekends are no bank days. On a holiday a read is in
 * vain.
 */
const isBankDay = (at: Instant): boolean => ![0, 6].includes(new Date(msOf(at)).getUTCDay());

/** By when the lists have told what the clearing of the bank day after `at` did. */
const afterBankDays = (at: Instant, count: number): Instant => {
  let morning = at;
  for (let left = count; left > 0;) {
    morning = nextTimeOfDay(morning, AFTER_LISTS_MS);
    if (isBankDay(morning)) left -= 1;
  }
  return morning;
};

/**
 * docs/provider/payments-completion.md#states: a debit settles, or comes back, two bank days after
 * its cut-off. A day's debits are many, so none is read before; `at`: it was learnt within a day
 * that it was sent.
 */
const afterDebit = (at: Instant, tries: number): Instant => {
  const cutOff = instantFromMs(msOf(nextTimeOfDay(at, CUT_OFF_MS)) - DAY_MS);
  return tries === 0 ? afterBankDays(cutOff, 2) : afterBankDays(at, 1);
};

/**
 * When the provider is to be read next to learn what no webhook told; `null` when nothing more is
 * to be learnt, or when an effect job is reading already. `tries`: reads since the last news.
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
