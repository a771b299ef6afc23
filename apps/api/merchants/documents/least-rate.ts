import { SECOND_MS } from '#kernel';

/** The minimum transfer rate, far below any usual connection. */
const MIN_BYTES_PER_SECOND = 16 * 1_024;
const GRACE_MS = 5 * SECOND_MS;
const CHECK_EVERY_MS = SECOND_MS;

/** The transfer of content to or from a client. */
export interface Transfer {
  /** The bytes transferred so far. */
  readonly bytes: () => number;
  /** Whether the transfer waits only for the client. Only such time counts in the rate. */
  readonly isWaitedFor: () => boolean;
}

/**
 * Calls `onTooSlow` once when a transfer falls below the minimum rate; returns a function that ends
 * the monitoring.
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
