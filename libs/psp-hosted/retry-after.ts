import { HOUR_MS, SECOND_MS } from '#kernel';

/**
 * Reads a `Retry-After` header, in seconds or as an HTTP date, into milliseconds from `nowMs` (wall
 * time): at least a second, because an immediate repeat was too early, and at most an hour; null
 * when there is none that can be read.
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
