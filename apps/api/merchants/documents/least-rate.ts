import { SECOND_MS } from '#kernel';

/** The minimum rate, far below any usual connection, and a grace period for the start. */
const MIN_BYTES_PER_SECOND = 16 * 1_024;
const GRACE_MS = 5 * SECOND_MS;
const CHECK_EVERY_MS = SECOND_MS;

/** Content that is sent to or received from a client. */
export interface Transfer {
  /** The bytes transferred so far. */
  readonly bytes: () => number;
  /** Whether only the client is awaited, so that the time counts against it. */
  readonly isWaitedFor: () => boolean;
}

/**
 * Calls `onTooSlow` once when a transfer is below the minimum rate; returns how to stop watching.
 */
export const watchRate = (transfer: Transfer, onTooSlow: () => void): (() => void) => {
  let [waitedMs, moved, seen] = [0, 0, transfer.bytes()];
  const timer = setInterval(() => {
    const now = transfer.bytes();
    moved += now - seen;
    seen = now;
    if (!transfer.isWaitedFor()) return;
    waitedMs += CHECK_EVERY_MS;
    if (moved * SECOND_MS >= (waitedMs - GRACE_MS) * MIN_BYTES_PER_SECOND) return;
    clearInterval(timer);
    onTooSlow();
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
};
