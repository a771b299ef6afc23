import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#kernel';

/**
 * The delays before the second and each later attempt of a delivery, counted from the end of the
 * attempt before: three days altogether.
 */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
  15 * HOUR_MS,
];

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/**
 * The maximum random addition to a delay, as a share of the delay. It spreads the retries after an
 * outage.
 */
const JITTER = 0.2;

/**
 * The delay after `attempts` failed attempts in milliseconds; null if no attempt is left. `random`:
 * from 0 (inclusive) to 1 (exclusive).
 */
export const retryDelayMs = (attempts: number, random: number): number | null => {
  const delayMs = DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + JITTER * random));
};
