/** Wall time, milliseconds. A worker that dies leaves its jobs to the others after this. */
export const CLAIM_MS = 15_000;
