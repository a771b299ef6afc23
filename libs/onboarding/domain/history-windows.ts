import { assert, HOUR_MS, type Instant, MINUTE_MS, plusMs } from '#kernel';
import { addDays, type Day, earlierDay, parisDay, startOfDay } from './paris-day.js';

/**
 * The number of closed days that each poll run reads again, because rows may appear late and our
 * clock may be up to this many days ahead of the provider's. The search for a company also includes
 * this many further days.
 */
export const REREAD_DAYS = 3;

/**
 * One request to the provider's status history: `since` inclusive, `until` exclusive, always one
 * day.
 */
export interface HistoryWindow {
  readonly since: Day;
  readonly until: Day;
  /** Whether the day had ended when it was requested. */
  readonly isClosed: boolean;
}

/**
 * One poll run. `watermark`, the only stored field, is the first day that was not read after its
 * end: all earlier days were. `floor` is the earliest day that the run may reopen, `next` the day
 * to read now.
 */
export interface HistoryRound {
  readonly watermark: Day;
  readonly floor: Day;
  readonly next: Day;
}

/** The first watermark of an environment is the current day, because it has no companies yet. */
export const firstWatermark = (now: Instant): Day => parisDay(now);

/**
 * Starts a poll run with the last days before the watermark. A day that has not begun cannot have
 * been read after its end, whatever a wrong clock showed. The last closed days may be reopened, but
 * not if the watermark already waits at an unreadable row: otherwise a permanently unreadable row
 * would move each run further back.
 */
export const beginRound = (watermark: Day, now: Instant): HistoryRound => {
  const today = parisDay(now);
  const trusted = earlierDay(watermark, today);
  const floor = earlierDay(trusted, addDays(today, -REREAD_DAYS));
  return { watermark: trusted, floor, next: addDays(trusted, -REREAD_DAYS) };
};

/**
 * The next day to read; null when the poll run has ended. Each request covers one day, even after
 * weeks, because the provider shows only the last of several changes in a window. The current day
 * is read last, so that its rows are fresh.
 */
export const nextWindow = ({ next }: HistoryRound, now: Instant): HistoryWindow | null => {
  const today = parisDay(now);
  if (next > today) return null;
  return { since: next, until: addDays(next, 1), isClosed: next < today };
};

/**
 * The poll run after a window was read. A day with an unreadable row is open (again, but not before
 * the floor), and the watermark waits there until the row can be read. A failed window ends the
 * run: the next run starts from the watermark, and repeated observations change nothing.
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

/**
 * The earliest time of a poll run after midnight: the provider has closed the day by then. Runs are
 * spread over the hours of the night.
 */
const AFTER_MIDNIGHT_MS = 15 * MINUTE_MS;
const SPREAD_MS = 2 * HOUR_MS;

/** The time of the next daily poll run; `jitter` is between 0 and 1. */
export const nextRoundAt = (now: Instant, jitter: number): Instant =>
  plusMs(startOfDay(addDays(parisDay(now), 1)), AFTER_MIDNIGHT_MS + Math.floor(jitter * SPREAD_MS));

const MIN_RETRY_MS = MINUTE_MS;
const MAX_RETRY_MS = HOUR_MS;

/**
 * The time of the next poll run after a failed one; `failures` is the number of consecutive
 * failures, from 1.
 */
export const retryRoundAt = (now: Instant, failures: number, jitter: number): Instant => {
  const waitMs = Math.min(MIN_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
  return plusMs(now, Math.floor(waitMs * (1 + jitter / 2)));
};
