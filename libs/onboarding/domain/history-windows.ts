import { assert, HOUR_MS, type Instant, MINUTE_MS, plusMs } from '#kernel';
import { addDays, type Day, earlierDay, parisDay, startOfDay } from './paris-day.js';

/**
 * So many closed days are read again each time: for rows that came late, and for a clock of ours
 * that is up to so many days ahead of the provider's when it takes a day for closed. A company that
 * is sought is so among so many days more.
 */
export const REREAD_DAYS = 3;

/** One question to the provider's history: `since` inclusive, `until` exclusive, always one day. */
export interface HistoryWindow {
  readonly since: Day;
  readonly until: Day;
  /** Whether the day was over when the question was asked. */
  readonly isClosed: boolean;
}

/**
 * One round of reading. `watermark`, the one durable part, is the first day that has not been read
 * since it was over: all before it have. `floor` is the day that it goes back to at most, `next`
 * the day to be read now.
 */
export interface HistoryRound {
  readonly watermark: Day;
  readonly floor: Day;
  readonly next: Day;
}

/** Where an environment begins that has no watermark yet: it has no companies yet either. */
export const firstWatermark = (now: Instant): Day => parisDay(now);

/**
 * A round begins with the last days before the watermark, once more. A day that has not begun
 * cannot have been read when it was over, whatever a clock that went wrong has said before.
 * The last closed days may open again, and none before a watermark that is held already: else a row
 * that nobody can ever take in would take each round further back.
 */
export const beginRound = (watermark: Day, now: Instant): HistoryRound => {
  const today = parisDay(now);
  const trusted = earlierDay(watermark, today);
  const floor = earlierDay(trusted, addDays(today, -REREAD_DAYS));
  return { watermark: trusted, floor, next: addDays(trusted, -REREAD_DAYS) };
};

/**
 * What to read next, null when the round is over. Day by day also after weeks: of several changes
 * in a window the provider shows the last one alone. The running day is read last, for freshness.
 */
export const nextWindow = ({ next }: HistoryRound, now: Instant): HistoryWindow | null => {
  const today = parisDay(now);
  if (next > today) return null;
  return { since: next, until: addDays(next, 1), isClosed: next < today };
};

/**
 * The round after a window that was answered. A day of which a row could not be taken in is open
 * (again, from the floor on), and holds the watermark until it can. After a window that was not answered there is no
 * such round: the next one begins from the watermark, and what was observed already changes nothing
 * when it is observed again.
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

/** When to begin again after a round that failed; `failures` in a row, from 1. */
export const retryRoundAt = (now: Instant, failures: number, jitter: number): Instant => {
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), WIDEST_RETRY_MS);
  return plusMs(now, Math.floor(waitMs * (1 + jitter / 2)));
};
