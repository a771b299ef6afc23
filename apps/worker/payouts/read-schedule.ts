import {
  DAY_MS,
  HOUR_MS,
  type Instant,
  instantFromMs,
  MINUTE_MS,
  msOf,
  plusMs,
  SECOND_MS,
} from '#kernel';
import type { Payout } from '#payout';
import type { Calendar } from '#psp';
import type { ListKind } from './account-job.js';

/** The time of day at which the provider's morning settlement has begun. */
const morningMs = ({ settlementMs }: Calendar): number => settlementMs + MINUTE_MS;
const cutOffMs = (calendar: Calendar): number => calendar.cutOffMs + MINUTE_MS;
/** The time of day by which the lines of the morning's payouts have normally been read. */
const overdueReadMs = ({ settlementMs }: Calendar): number => settlementMs + 2 * HOUR_MS;

interface ListSchedule {
  readonly everyMs: number;
  /** The time of day of the first read. */
  readonly firstMs: (calendar: Calendar) => number;
  /**
   * How far the period of a read overlaps with that of the previous read: items created shortly
   * before a read may not be listed yet.
   */
  readonly overlapMs: number;
  /**
   * The maximum length of the period that a read requests; null: unlimited, back to the last read.
   */
  readonly reachMs: number | null;
}

/**
 * How often each of the provider's lists for an account is read, in business time.
 * `account.payments`: the payments of the day, whose captures are sent at the cut-off; older
 * payments are in a payout or are read individually. `payouts`: payouts with their lines, which
 * show a day's captures, refunds and disputes. `refunds`, `disputes`: refunds and disputes that we
 * did not request, also on days without a payout.
 */
const LIST_SCHEDULES: Readonly<Record<ListKind, ListSchedule>> = {
  'account.payments': {
    everyMs: DAY_MS,
    firstMs: cutOffMs,
    overlapMs: HOUR_MS,
    reachMs: DAY_MS + HOUR_MS,
  },
  'account.payouts': { everyMs: DAY_MS, firstMs: morningMs, overlapMs: 3 * DAY_MS, reachMs: null },
  'account.refunds': { everyMs: DAY_MS / 2, firstMs: morningMs, overlapMs: DAY_MS, reachMs: null },
  'account.disputes': { everyMs: DAY_MS / 2, firstMs: morningMs, overlapMs: DAY_MS, reachMs: null },
};

/**
 * The reads of the accounts are spread over this time, so that not all accounts are read in the
 * same minute.
 */
const SPREAD_MS = 10 * MINUTE_MS;

const MIN_FOLLOW_MS = 15 * MINUTE_MS;
const MAX_FOLLOW_MS = DAY_MS;
const UNAVAILABLE_MS = 15 * MINUTE_MS;
/**
 * The retry interval after the provider has refused the API key: long, because the key will not be
 * accepted within minutes.
 */
const REFUSED_MS = HOUR_MS;

const nextOnGrid = (at: Instant, everyMs: number, offsetMs: number): Instant => {
  const steps = Math.floor((msOf(at) - offsetMs) / everyMs) + 1;
  return instantFromMs(steps * everyMs + offsetMs);
};

/**
 * By how much the reads of an account are delayed, to spread the reads of all accounts. The delay
 * is the same each day.
 */
const spreadOf = (accountId: string): number => {
  let hash = 0;
  for (const char of accountId) hash = (hash * 31 + char.charCodeAt(0)) % SPREAD_MS;
  return hash;
};

/** When a list is read next. */
export const nextListRead = (
  kind: ListKind,
  accountId: string,
  at: Instant,
  calendar: Calendar,
): Instant => {
  const { everyMs, firstMs } = LIST_SCHEDULES[kind];
  return nextOnGrid(at, everyMs, firstMs(calendar) + spreadOf(accountId));
};

/** The time `ms` before an instant, in epoch seconds, rounded down and never negative. */
const secondsBefore = (at: Instant, ms: number): number =>
  Math.max(0, Math.floor((msOf(at) - ms) / SECOND_MS));

/**
 * The start of the period that a read at `at` requests, in epoch seconds; `known` is the start that
 * the job has stored.
 */
export const listReadSince = (kind: ListKind, known: number, at: Instant): number => {
  const { reachMs } = LIST_SCHEDULES[kind];
  return reachMs === null ? known : Math.max(known, secondsBefore(at, reachMs));
};

/**
 * After a read that began at `at`: the start of the period that the next read requests, in epoch
 * seconds. It is never before `known`.
 */
export const nextListReadSince = (kind: ListKind, known: number, at: Instant): number =>
  Math.max(known, secondsBefore(at, LIST_SCHEDULES[kind].overlapMs));

/**
 * The reconciliation runs daily, to find overdue entries; it also runs whenever lines were read.
 */
export const nextReconciliation = (accountId: string, at: Instant, calendar: Calendar): Instant =>
  nextOnGrid(at, DAY_MS, overdueReadMs(calendar) + spreadOf(accountId));

/** The newest day (YYYY-MM-DD, UTC) whose payout lines should have been read by now. */
export const newestReadDay = (at: Instant, calendar: Calendar): string =>
  plusMs(at, -overdueReadMs(calendar)).slice(0, 10);

/**
 * The newest morning (YYYY-MM-DD, UTC) whose payouts a read of the list shows if the read began at
 * `at`.
 */
export const seenMorning = (at: Instant, calendar: Calendar): string =>
  plusMs(at, -morningMs(calendar)).slice(0, 10);

const backoff = (at: Instant, tries: number): Instant =>
  plusMs(at, Math.min(MIN_FOLLOW_MS * 2 ** Math.min(tries, 20), MAX_FOLLOW_MS));

/**
 * When a payout is read next; null if the payout has ended. `tries`: the number of reads since the
 * payout's last change. The status of a payout changes at a cut-off or in the morning. If the
 * status has not changed, e.g. because the day is no bank day, the payout is read again the next
 * morning.
 */
export const nextPayoutRead = (
  { status }: Payout,
  at: Instant,
  tries: number,
  calendar: Calendar,
): Instant | null => {
  switch (status) {
    case 'none':
    case 'paid':
    case 'failed':
      return null;
    case 'pending':
      return tries === 0 ? nextOnGrid(at, DAY_MS, cutOffMs(calendar)) : backoff(at, tries - 1);
    case 'to_pay':
    case 'sent':
      return nextOnGrid(at, DAY_MS, morningMs(calendar));
  }
};

/**
 * When the lines of a payout are read again. The provider still adds lines to a new payout, so the
 * lines are read until they match the totals.
 */
export const nextLinesRead = (at: Instant, tries: number): Instant => backoff(at, tries);

/** When a job is retried while the provider does not respond. */
export const afterUnavailable = (at: Instant): Instant => plusMs(at, UNAVAILABLE_MS);

/**
 * When a job is retried after the provider has refused: an operator must act, and the process log
 * says so.
 */
export const afterRefusal = (at: Instant): Instant => plusMs(at, REFUSED_MS);
