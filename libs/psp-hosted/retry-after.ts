import { HOUR_MS, SECOND_MS } from '#kernel';

/**
 * Converts a `Retry-After` header, which is a number of seconds or an HTTP date, to milliseconds
 * from `nowMs` (wall time). The result is at least a second, because an immediate repetition would
 * be too early, and at most an hour. Null if the header is missing or invalid.
 */
export const parseRetryAfterMs = (
  header: string | string[] | undefined,
  nowMs: number,
): number | null => {
  if (typeof header !== 'string') return null;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text)
    ? Number(text) * SECOND_MS
    : /^[A-Za-z]{3,9},? /.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, SECOND_MS), HOUR_MS);
};
