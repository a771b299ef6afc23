import { assert, HOUR_MS, type Instant, MINUTE_MS, plusMs } from '#kernel';
import { addDays, type Day, earlierDay, parisDay, startOfDay } from './paris-day.js';

/**
 * The number of past days that each poll run reads again, because rows may appear late and our
 * clock may be up to this many days ahead of the provider's. For the same reasons, the search for a
 * company whose registration got no response begins this many days before the request.
 */
export const REREAD_DAYS = 3;

/**
 * The period of one request to the provider's status history. It is always one day: `since` is the
 * day, `until` the day after it.
 */
export interface HistoryWindow {
  readonly since: Day;
  readonly until: Day;
  /** Whether the day had already ended when it was read. */
  readonly isClosed: boolean;
}

/**
 * The progress of one poll run. `watermark` is stored for the next run: each day before it was read
 * after its end. `next` is the day to read now. `floor` is the earliest day to which a row that
 * cannot be read may move the watermark back.
 */
export interface HistoryRound {
  readonly watermark: Day;
  readonly floor: Day;
  readonly next: Day;
}

/**
 * The first watermark of an environment is the current day, because the environment has no
 * companies yet.
 */
export const firstWatermark = (now: Instant): Day => parisDay(now);

/**
 * Starts a poll run, which begins some days before the watermark. A watermark in the future comes
 * from a clock that was ahead, and is corrected to today. `floor` is computed from today, not from
 * the watermark: otherwise a row that can never be read would move the watermark further back with
 * each run.
 */
export const beginRound = (watermark: Day, now: Instant): HistoryRound => {
  const today = parisDay(now);
  const trusted = earlierDay(watermark, today);
  const floor = earlierDay(trusted, addDays(today, -REREAD_DAYS));
  return { watermark: trusted, floor, next: addDays(trusted, -REREAD_DAYS) };
};

/**
 * The next day to read; null when the poll run has ended. Each request covers one day, even after
 * weeks without polling, because the provider shows only the last change of a company in the
 * requested period. The current day is read last, so that its rows are fresh.
 */
export const nextWindow = ({ next }: HistoryRound, now: Instant): HistoryWindow | null => {
  const today = parisDay(now);
  if (next > today) return null;
  return { since: next, until: addDays(next, 1), isClosed: next < today };
};

/**
 * The poll run after a day was read. A row that cannot be read (`partly`) moves the watermark back
 * to the day of the row, but not before the floor; the watermark stays there until the row can be
 * read. If a request fails, the run ends and the next run starts from the watermark; observing rows
 * again changes nothing.
 */
export const afterWindow = (
  round: HistoryRound,
  window: HistoryWindow,
  taken: 'whole' | 'partly',
): HistoryRound => {
  const { since, until, isClosed } = window;
  assert(since === round.next, 'windows are read day by day, without a gap');
  const after = { ...round, next: until };
  if (taken === 'partly') {
    return since < round.floor
      ? after
      : { ...after, watermark: earlierDay(round.watermark, since) };
  }
  return isClosed && since === round.watermark ? { ...after, watermark: until } : after;
};

/**
 * A poll run starts at least this long after midnight, so that the provider has completed the
 * history of the day. The start times are spread over two hours.
 */
const AFTER_MIDNIGHT_MS = 15 * MINUTE_MS;
const SPREAD_MS = 2 * HOUR_MS;

/** The time of the next daily poll run; `jitter` is between 0 and 1. */
export const nextRoundAt = (now: Instant, jitter: number): Instant =>
  plusMs(startOfDay(addDays(parisDay(now), 1)), AFTER_MIDNIGHT_MS + Math.floor(jitter * SPREAD_MS));

const MIN_RETRY_MS = MINUTE_MS;
const MAX_RETRY_MS = HOUR_MS;

/**
 * The time of the next poll run after a failed run; `failures` is the number of consecutive
 * failures, from 1.
 */
export const retryRoundAt = (now: Instant, failures: number, jitter: number): Instant => {
  const waitMs = Math.min(MIN_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
  return plusMs(now, Math.floor(waitMs * (1 + jitter / 2)));
};
