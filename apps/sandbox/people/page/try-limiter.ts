import { Injectable } from '@nestjs/common';
import { MINUTE_MS, msOf } from '#kernel';
import { SandboxClock } from '../../clock/sandbox-clock.js';

const MAX_TRIES = 10;
const WINDOW_MS = 15 * MINUTE_MS;
const MAX_PAYMENTS = 50_000;

interface Window {
  readonly endsAtMs: number;
  tries: number;
}

/**
 * Limits a payment to 10 attempts within 15 minutes of the sandbox's clock, so that lists of stolen
 * card numbers cannot be tested on the page. The counts are in memory, for a limited number of
 * payments; when this number is exceeded, the count of the payment whose last attempt is oldest is
 * dropped.
 */
@Injectable()
export class TryLimiter {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly clock: SandboxClock) {}

  /**
   * Counts one attempt of a payment; returns the seconds to wait if the limit is exceeded,
   * otherwise 0.
   */
  take(intentId: string): number {
    const nowMs = msOf(this.clock.now());
    const window = this.windowOf(intentId, nowMs);
    window.tries += 1;
    return window.tries <= MAX_TRIES ? 0 : Math.ceil((window.endsAtMs - nowMs) / 1000);
  }

  private windowOf(intentId: string, nowMs: number): Window {
    const known = this.windows.get(intentId);
    if (known !== undefined && known.endsAtMs > nowMs) return known;
    const fresh = { endsAtMs: nowMs + WINDOW_MS, tries: 0 };
    this.windows.delete(intentId);
    const oldest = this.windows.keys().next();
    if (this.windows.size >= MAX_PAYMENTS && oldest.done !== true) {
      this.windows.delete(oldest.value);
    }
    this.windows.set(intentId, fresh);
    return fresh;
  }
}
