const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

/** Wall time after a run that failed: 1 s, doubled with each attempt up to five minutes. */
export const backoffMs = (attempts: number): number =>
  Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_MS);

/**
 * Wall time until what only a newer release can do is tried again: many such jobs must not keep the
 * others from their turn.
 */
export const FOR_NEWER_RELEASE_MS = 60_000;
