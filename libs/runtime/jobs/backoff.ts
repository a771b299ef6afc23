const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

/**
 * The wall time until a failed job is retried: 1 s, doubled with each attempt, at most five
 * minutes.
 */
export const backoffMs = (attempts: number): number =>
  Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_MS);

/**
 * The wall time until the retry of a job that only a newer release can run. The wait is long, so
 * that many such jobs do not delay other jobs.
 */
export const FOR_NEWER_RELEASE_MS = 60_000;
