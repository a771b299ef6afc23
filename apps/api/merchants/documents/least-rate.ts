import { SECOND_MS } from '#kernel';

/** Less than any line that a person would call one; and time for it to begin. */
const LEAST_BYTES_A_SECOND = 16 * 1_024;
const GRACE_MS = 5 * SECOND_MS;
const LOOK_EVERY_MS = SECOND_MS;

/** Content on its way between somebody outside and us. */
export interface Transfer {
  /** How many bytes have come through so far. */
  readonly bytes: () => number;
  /** Whether all else is ready, so that the time that passes is theirs. */
  readonly isWaitedFor: () => boolean;
}

/** Calls `onTooSlow` once when a transfer is slower than is taken; answers how to end the watch. */
export const watchRate = (transfer: Transfer, onTooSlow: () => void): (() => void) => {
  let [waitedMs, moved, seen] = [0, 0, transfer.bytes()];
  const timer = setInterval(() => {
    const now = transfer.bytes();
    moved += now - seen;
    seen = now;
    if (!transfer.isWaitedFor()) return;
    waitedMs += LOOK_EVERY_MS;
    if (moved * SECOND_MS >= (waitedMs - GRACE_MS) * LEAST_BYTES_A_SECOND) return;
    clearInterval(timer);
    onTooSlow();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
};
