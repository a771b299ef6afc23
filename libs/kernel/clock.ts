import type { Instant } from './instant.js';
import { instantFromMs } from './instant.js';

/**
 * Business time, used for the expiry of orders, clearing, deadlines and daily polls. Network
 * timeouts, leases and signature ages use wall time instead.
 */
export interface Clock {
  now(): Instant;
}

export const wallClock: Clock = { now: () => instantFromMs(Date.now()) };
