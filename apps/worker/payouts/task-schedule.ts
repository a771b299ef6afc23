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
import type { ListKind } from './account-task.js';

/** The provider has begun by then what it does at a time of day. */
const morningMs = ({ settlementMs }: Calendar): number => settlementMs + MINUTE_MS;
const cutOffMs = (calendar: Calendar): number => calendar.cutOffMs + MINUTE_MS;
/** After the lines of the morning's payouts have been read. */
const overdueLookMs = ({ settlementMs }: Calendar): number => settlementMs + 2 * HOUR_MS;

interface Look {
  readonly everyMs: number;
  /** The first time of day. */
  readonly firstMs: (calendar: Calendar) => number;
  /** What was made so shortly before the last look may not have been listed then. */
  readonly overlapMs: number;
  /** No look goes back further than this; null: to the last one, however long ago that was. */
  readonly reachMs: number | null;
}

/**
 * How often each list of an account is looked through, in business time. `payments`: which of the
 * day's were sent at the cut-off; an older one is told by its payout, or read by itself. `payouts`:
 * with their lines, which tell a day's captures, refunds and disputes. `refunds`, `disputes`: those
 * that somebody else made, also while no payout is.
 */
const LOOKS: Readonly<Record<ListKind, Look>> = {
  payments: {
    everyMs: DAY_MS,
    firstMs: cutOffMs,
    overlapMs: HOUR_MS,
    reachMs: DAY_MS + HOUR_MS,
  },
  payouts: { everyMs: DAY_MS, firstMs: morningMs, overlapMs: 3 * DAY_MS, reachMs: null },
  refunds: { everyMs: DAY_MS / 2, firstMs: morningMs, overlapMs: DAY_MS, reachMs: null },
  disputes: { everyMs: DAY_MS / 2, firstMs: morningMs, overlapMs: DAY_MS, reachMs: null },
};

/** Accounts are not all read in the same minute. */
const SPREAD_MS = 10 * MINUTE_MS;

const FOLLOW_FIRST_MS = 15 * MINUTE_MS;
const FOLLOW_WIDEST_MS = DAY_MS;
const UNAVAILABLE_MS = 15 * MINUTE_MS;
/** A key that is refused will not work in a minute. */
const REFUSED_MS = HOUR_MS;

const nextOnGrid = (at: Instant, everyMs: number, offsetMs: number): Instant => {
  const steps = Math.floor((msOf(at) - offsetMs) / everyMs) + 1;
  return instantFromMs(steps * everyMs + offsetMs);
};

/** The same for an account each day. */
const spreadOf = (accountId: string): number => {
  let hash = 0;
  for (const char of accountId) hash = (hash * 31 + char.charCodeAt(0)) % SPREAD_MS;
  return hash;
};

/** When a list is looked through next. */
export const nextLook = (
  kind: ListKind,
  accountId: string,
  at: Instant,
  calendar: Calendar,
): Instant => {
  const { everyMs, firstMs } = LOOKS[kind];
  return nextOnGrid(at, everyMs, firstMs(calendar) + spreadOf(accountId));
};

/** Epoch seconds, rounded down: `before` a moment, and never before the epoch. */
const secondsBefore = (at: Instant, ms: number): number =>
  Math.max(0, Math.floor((msOf(at) - ms) / SECOND_MS));

/** From when on a look that begins at `at` asks, in epoch seconds; `known` stands with the task. */
export const lookSince = (kind: ListKind, known: number, at: Instant): number => {
  const { reachMs } = LOOKS[kind];
  return reachMs === null ? known : Math.max(known, secondsBefore(at, reachMs));
};

/** From when on the look after one that began at `at` asks, in epoch seconds; never less. */
export const nextLookSince = (kind: ListKind, known: number, at: Instant): number =>
  Math.max(known, secondsBefore(at, LOOKS[kind].overlapMs));

/** Daily, for what is overdue; besides, it is called for whenever lines were read. */
export const nextReconciliation = (accountId: string, at: Instant, calendar: Calendar): Instant =>
  nextOnGrid(at, DAY_MS, overdueLookMs(calendar) + spreadOf(accountId));

/** The newest day (YYYY-MM-DD, UTC) the lines of whose morning's payouts should be read by now. */
export const newestReadDay = (at: Instant, calendar: Calendar): string =>
  plusMs(at, -overdueLookMs(calendar)).slice(0, 10);

/** The morning (YYYY-MM-DD, UTC) whose payouts a look through their list, begun then, has seen. */
export const seenMorning = (at: Instant, calendar: Calendar): string =>
  plusMs(at, -morningMs(calendar)).slice(0, 10);

const widening = (at: Instant, tries: number): Instant =>
  plusMs(at, Math.min(FOLLOW_FIRST_MS * 2 ** Math.min(tries, 20), FOLLOW_WIDEST_MS));

/**
 * When a payout is read next; null when it is over. `tries`: reads since the last news. A status
 * lasts until a cut-off or a morning, which are no bank days for all: then the next morning is tried.
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
      return tries === 0 ? nextOnGrid(at, DAY_MS, cutOffMs(calendar)) : widening(at, tries - 1);
    case 'to_pay':
    case 'sent':
      return nextOnGrid(at, DAY_MS, morningMs(calendar));
  }
};

/** Lines are still being put into a payout that was just made: they are read anew until they fit. */
export const nextLinesRead = (at: Instant, tries: number): Instant => widening(at, tries);

/** While the provider does not answer. */
export const afterUnavailable = (at: Instant): Instant => plusMs(at, UNAVAILABLE_MS);

/** The provider refuses: a person must act, and hears of it in the log. */
export const afterRefusal = (at: Instant): Instant => plusMs(at, REFUSED_MS);
