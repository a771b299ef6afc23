const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

/** The wall time to wait after a failed run: 1 s, doubled with each attempt up to five minutes. */
export const backoffMs = (attempts: number): number =>
  Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_MS);

/**
 * The wall time until a job that only a newer release can run is retried: many such jobs must not
 * block the others.
 */
export const FOR_NEWER_RELEASE_MS = 60_000;
