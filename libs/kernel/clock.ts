import type { Instant } from './instant.js';
import { instantFromMs } from './instant.js';

/**
 * Business time: expiry, clearing, deadlines, polling days. Injected everywhere. Network time
 * limits, leases and signature ages are wall time and do not come from here.
 */
export interface Clock {
  now(): Instant;
}

export const wallClock: Clock = { now: () => instantFromMs(Date.now()) };
