/**
 * How long a claim lasts if it is not extended, in milliseconds of wall time. After that another
 * worker takes over the job.
 */
export const CLAIM_MS = 15_000;
