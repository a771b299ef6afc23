import {
  assert,
  DAY_MS,
  earlier,
  HOUR_MS,
  type Instant,
  instantFromMs,
  msOf,
  parseInstant,
  plusMs,
} from '#kernel';

const CUT_OFF_HOUR = 22;
const MORNING_HOUR = 6;

/**
 * The next instant strictly after `at` with this hour in UTC: a request at exactly the cut-off
 * waits for the next cut-off.
 */
const nextHourUtc = (at: Instant, hour: number): Instant => {
  const ms = msOf(at);
  const sameDay = Math.floor(ms / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return instantFromMs(sameDay > ms ? sameDay : sameDay + DAY_MS);
};

/** When captures, refunds and debits are sent: 22:00 UTC, every day. */
export const nextCutOff = (at: Instant): Instant => nextHourUtc(at, CUT_OFF_HOUR);

/** When sent payments are settled: 06:00 UTC, every day. */
export const nextMorning = (at: Instant): Instant => nextHourUtc(at, MORNING_HOUR);

/** The first morning at or after `at`. */
export const morningFrom = (at: Instant): Instant => nextMorning(plusMs(at, -1));

/** The first cut-off or morning at or after `at`, when clearing next happens. */
export const clearingFrom = (at: Instant): Instant =>
  earlier(morningFrom(at), nextCutOff(plusMs(at, -1)));

/** The morning of a day, YYYY-MM-DD. */
export const morningOf = (date: string): Instant => morningFrom(parseInstant(`${date}T00:00:00Z`));

/** YYYY-MM-DD in UTC. */
export const dateOf = (at: Instant): string => at.slice(0, 10);

/** Whether the day is a bank day: Monday to Friday, as the sandbox's banks have no holidays. */
export const isBankDay = (at: Instant): boolean => {
  const weekday = new Date(msOf(at)).getUTCDay();
  return weekday !== 0 && weekday !== 6;
};

/** 06:00 UTC of the `count`-th bank day after the day of `at`. */
export const bankDaysAfter = (at: Instant, count: number): Instant => {
  assert(Number.isInteger(count) && count > 0, 'the number of bank days is at least 1');
  const midnight = Math.floor(msOf(at) / DAY_MS) * DAY_MS;
  let morning = instantFromMs(midnight + MORNING_HOUR * HOUR_MS);
  for (let left = count; left > 0;) {
    morning = plusMs(morning, DAY_MS);
    if (isBankDay(morning)) left -= 1;
  }
  return morning;
};
