import { Injectable } from '@nestjs/common';
import { assert, type Clock, type Instant, instantFromMs, msOf } from '#kernel';
import { Database } from '../storage/database.js';

/**
 * The state of the clock: at the real time `wallMs` the clock showed `at`; since then it has run at
 * `rate`, or has stood still if `isHeld()`.
 */
interface Reading {
  readonly at: Instant;
  readonly wallMs: number;
  readonly rate: number;
}

interface ClockRow {
  readonly sandbox_at: Instant;
  readonly wall_at: Instant;
  readonly rate: number;
}

const READ = {
  name: 'clock:read',
  text: 'SELECT sandbox_at, wall_at, rate FROM sandbox_clock',
};
const START = {
  name: 'clock:start',
  text: `INSERT INTO sandbox_clock (sandbox_at, wall_at, rate) VALUES ($1, $1, 1)
         ON CONFLICT DO NOTHING`,
};
const SET = {
  name: 'clock:set',
  text: `UPDATE sandbox_clock SET sandbox_at = $1, wall_at = $2, rate = $3`,
};

/**
 * The clock of everything timed in the sandbox. It never goes back. A move of the clock stops at
 * each due instant; after a crash during such a stop, the clock continues from the instant of the
 * stop.
 */
@Injectable()
export class SandboxClock implements Clock {
  private reading: Reading | null = null;
  private held = false;
  private limit: Instant | null = null;

  constructor(private readonly database: Database) {}

  /** Reads the stored clock, or starts it at real time. Call before any other method. */
  async load(): Promise<void> {
    await this.database.query(START, [new Date().toISOString()]);
    const [row] = await this.database.query<ClockRow>(READ);
    assert(row !== undefined, 'the table sandbox_clock has one row');
    this.reading = { at: row.sandbox_at, wallMs: msOf(row.wall_at), rate: row.rate };
  }

  now(): Instant {
    const { at, wallMs, rate } = this.current();
    if (this.held) return at;
    const running = instantFromMs(msOf(at) + Math.max(0, Date.now() - wallMs) * rate);
    return this.limit !== null && running > this.limit ? this.limit : running;
  }

  /**
   * Lets the clock run up to `at` and stop there until the next call; null: without a limit.
   * Without the stop, at a high rate, work that runs milliseconds late in real time would be hours
   * late on this clock.
   */
  runUntil(at: Instant | null): void {
    const now = this.now();
    this.limit = at === null || at > now ? at : now;
  }

  rate(): number {
    return this.current().rate;
  }

  isHeld(): boolean {
    return this.held;
  }

  /** The real time that passes until the clock shows `at`; 0 when the clock already shows `at`. */
  wallMsUntil(at: Instant): number {
    return Math.max(0, (msOf(at) - msOf(this.now())) / this.rate());
  }

  /** Moves the clock to `at` (never back) and stops it there until `release` or the next `hold`. */
  async hold(at: Instant): Promise<void> {
    this.stopAt(at);
    await this.store(this.rate());
  }

  /** Lets the clock continue from where it stopped. */
  async release(): Promise<void> {
    if (!this.held) return;
    await this.store(this.rate());
    this.run(this.rate());
  }

  /**
   * Changes the rate. The clock is stopped while the database stores the new rate, so that the
   * clock never shows an earlier time than before.
   */
  async setRate(rate: number): Promise<void> {
    const before = this.rate();
    this.stopAt(this.now());
    try {
      await this.store(rate);
      this.run(rate);
    } catch (error) {
      this.run(before);
      throw error;
    }
  }

  private stopAt(at: Instant): void {
    const now = this.now();
    this.reading = { at: at > now ? at : now, wallMs: Date.now(), rate: this.rate() };
    this.held = true;
  }

  private run(rate: number): void {
    this.reading = { at: this.current().at, wallMs: Date.now(), rate };
    this.held = false;
  }

  private async store(rate: number): Promise<void> {
    await this.database.query(SET, [this.current().at, instantFromMs(Date.now()), rate]);
  }

  private current(): Reading {
    assert(this.reading !== null, 'the clock is loaded before it is read');
    return this.reading;
  }
}
