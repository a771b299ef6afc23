import { assert, HOUR_MS, type Instant, MINUTE_MS, plusMs } from '#kernel';
import { addDays, type Day, earlierDay, parisDay, startOfDay } from './paris-day.js';

/**
 * The number of closed days that each round reads again: for rows that appear late, and for a clock
 * of ours that is up to this many days ahead of the provider's. A company is also searched in this
 * many further days.
 */
export const REREAD_DAYS = 3;

/** One request to the provider's history: `since` inclusive, `until` exclusive, always one day. */
export interface HistoryWindow {
  readonly since: Day;
  readonly until: Day;
  /** Whether the day had ended at the request. */
  readonly isClosed: boolean;
}

/**
 * One polling round. `watermark`, the only stored part, is the first day that was not read after
 * its end: all earlier days were. `floor` is the earliest day that the round may reopen, `next` the
 * day to read now.
 */
export interface HistoryRound {
  readonly watermark: Day;
  readonly floor: Day;
  readonly next: Day;
}

/** The start of an environment without a watermark: it has no companies yet either. */
export const firstWatermark = (now: Instant): Day => parisDay(now);

/**
 * A round starts with the last days before the watermark. A day that has not begun cannot have been
 * read after its end, whatever a wrong clock said. The last closed days may reopen, but none before
 * a watermark that is already held: otherwise a permanently unreadable row would move each round
 * further back.
 */
export const beginRound = (watermark: Day, now: Instant): HistoryRound => {
  const today = parisDay(now);
  const trusted = earlierDay(watermark, today);
  const floor = earlierDay(trusted, addDays(today, -REREAD_DAYS));
  return { watermark: trusted, floor, next: addDays(trusted, -REREAD_DAYS) };
};

/**
 * The next day to read, null when the round has ended. Day by day also after weeks: of several
 * changes in a window the provider shows the last one only. The current day is read last, for
 * freshness.
 */
export const nextWindow = ({ next }: HistoryRound, now: Instant): HistoryWindow | null => {
  const today = parisDay(now);
  if (next > today) return null;
  return { since: next, until: addDays(next, 1), isClosed: next < today };
};

/**
 * The round after an answered window. A day with an unreadable row is open (again, from the floor
 * on), and holds the watermark until it can be read. An unanswered window ends the round: the next
 * one starts from the watermark, and repeated observations change nothing.
 */
export const afterWindow = (
  round: HistoryRound,
  window: HistoryWindow,
  taken: 'whole' | 'partly',
): HistoryRound => {
  const { since, until, isClosed } = window;
  assert(since === round.next, 'windows are read one after another, none left out');
  const after = { ...round, next: until };
  if (taken === 'partly') {
    return since < round.floor
      ? after
      : { ...after, watermark: earlierDay(round.watermark, since) };
  }
  return isClosed && since === round.watermark ? { ...after, watermark: until } : after;
};

/** Late enough that the provider has closed the day too, and spread over the hours of the night. */
const AFTER_MIDNIGHT_MS = 15 * MINUTE_MS;
const SPREAD_MS = 2 * HOUR_MS;

/** The next daily round; `jitter` from 0 to 1. */
export const nextRoundAt = (now: Instant, jitter: number): Instant =>
  plusMs(startOfDay(addDays(parisDay(now), 1)), AFTER_MIDNIGHT_MS + Math.floor(jitter * SPREAD_MS));

const FIRST_RETRY_MS = MINUTE_MS;
const WIDEST_RETRY_MS = HOUR_MS;

/** The start of the next round after a failed one; `failures` in a row, from 1. */
export const retryRoundAt = (now: Instant, failures: number, jitter: number): Instant => {
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), WIDEST_RETRY_MS);
  return plusMs(now, Math.floor(waitMs * (1 + jitter / 2)));
};
