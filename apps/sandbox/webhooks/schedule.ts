import { MINUTE_MS, SECOND_MS, HOUR_MS } from '#kernel';
import { FIRST_ATTEMPT_DELAY_MS } from '../storage/event-row.js';

const hms = (hours: number, minutes: number, seconds: number): number =>
  hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;

/**
 * The delay before each attempt in milliseconds: the first counted from the event, the others from
 * the end of the previous attempt. See docs/provider/payments.md#events.
 */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  FIRST_ATTEMPT_DELAY_MS,
  hms(0, 0, 16),
  hms(0, 0, 31),
  hms(0, 1, 36),
  hms(0, 4, 31),
  hms(0, 10, 40),
  hms(0, 21, 51),
  hms(0, 40, 16),
  hms(1, 8, 31),
  hms(1, 49, 36),
  hms(2, 46, 55),
  hms(4, 4, 16),
  hms(5, 45, 51),
  hms(7, 56, 16),
  hms(10, 40, 31),
];

export const MAX_ATTEMPTS = ATTEMPT_DELAYS_MS.length;

/** The delay after `attemptsDone` failed attempts; null when no attempt is left. */
export const delayAfterMs = (attemptsDone: number): number | null =>
  ATTEMPT_DELAYS_MS[attemptsDone] ?? null;
