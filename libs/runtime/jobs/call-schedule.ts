import { HOUR_MS, SECOND_MS } from '#kernel';

const FIRST_MS = SECOND_MS;
const MAX_BACKOFF_MS = 6 * HOUR_MS;
/**
 * The maximum number of attempts. With the growing waits between them, the attempts take a little
 * over two days of business time.
 */
export const MAX_TRIES = 22;

/**
 * The wait after attempt number `tries`: 1 s, doubled each time, at most 6 h. `null` after the last
 * attempt: an operator must act. For a request with a deadline, `maxBackoffMs` is the longest wait,
 * and the request is retried until the deadline.
 */
export const waitAfterTry = (tries: number, maxBackoffMs: number | null): number | null => {
  const waitMs = tries >= MAX_TRIES ? null : Math.min(FIRST_MS * 2 ** (tries - 1), MAX_BACKOFF_MS);
  return maxBackoffMs === null ? waitMs : Math.min(waitMs ?? maxBackoffMs, maxBackoffMs);
};
