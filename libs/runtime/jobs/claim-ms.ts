/**
 * The duration of a claim in milliseconds of wall time. After this, other workers take over the
 * jobs of a failed worker.
 */
export const CLAIM_MS = 15_000;
