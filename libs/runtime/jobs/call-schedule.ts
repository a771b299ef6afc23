import { HOUR_MS, SECOND_MS } from '#kernel';

const FIRST_MS = SECOND_MS;
const MAX_BACKOFF_MS = 6 * HOUR_MS;
/**
 * The maximum number of attempts: with the growing waits, a little over two days of business time.
 */
const MAX_TRIES = 22;

/**
 * The wait after the `tries`-th run: 1 s, doubling up to 6 h. `null` after the last attempt: an
 * operator must act. With `maxBackoffMs`, for a request with a deadline, no wait is longer, and it
 * is retried until its deadline.
 */
export const waitAfterTry = (tries: number, maxBackoffMs: number | null): number | null => {
  const waitMs = tries >= MAX_TRIES ? null : Math.min(FIRST_MS * 2 ** (tries - 1), MAX_BACKOFF_MS);
  return maxBackoffMs === null ? waitMs : Math.min(waitMs ?? maxBackoffMs, maxBackoffMs);
};
