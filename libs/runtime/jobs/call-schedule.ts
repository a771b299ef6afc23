import { HOUR_MS, SECOND_MS } from '#kernel';

const FIRST_MS = SECOND_MS;
const MAX_BACKOFF_MS = 6 * HOUR_MS;
/** With the widening waits this is a little over two days of business time. */
const MAX_TRIES = 22;

/**
 * How long to wait after the `tries`-th run before the next: 1 s, doubling up to 6 h. `null` when
 * the job has been tried often enough, and a person must look. With `maxBackoffMs`, for a call that
 * is lost when its time is over, no wait is longer, and it is tried for as long as that holds.
 */
export const waitAfterTry = (tries: number, maxBackoffMs: number | null): number | null => {
  const waitMs = tries >= MAX_TRIES ? null : Math.min(FIRST_MS * 2 ** (tries - 1), MAX_BACKOFF_MS);
  return maxBackoffMs === null ? waitMs : Math.min(waitMs ?? maxBackoffMs, maxBackoffMs);
};
