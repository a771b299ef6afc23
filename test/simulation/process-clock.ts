import { type Clock, HOUR_MS, type Instant, instantFromMs, SECOND_MS } from '#kernel';
import { ClockCheck, type Logger } from '#platform';
import type { Random } from '../../tools/chaos/random.js';
import type { Exchange } from './ports/exchange.js';
import type { Process, Scheduler } from './scheduler.js';

/** The interval at which the production code compares the clocks. */
const CHECK_EVERY_MS = 60 * SECOND_MS;
/** The difference of the clocks that the production code tolerates. */
const MAX_OFF_MS = 5 * SECOND_MS;
/** The maximum drift of a clock, in microseconds per second. */
const MOST_DRIFT_PPM = 200;

export interface ProcessClockParts {
  readonly scheduler: Scheduler;
  readonly process: Process;
  readonly exchange: Exchange;
  readonly logger: Logger;
}

/**
 * Stubs, because a simulation reads neither the health check nor the metrics of the clock
 * comparison.
 */
const NO_HEALTH = { add: () => undefined };
const NO_METRICS = { gauge: () => undefined };

type CheckParts = ConstructorParameters<typeof ClockCheck>;

/**
 * The clock of one process, which may jump and drift away from the clock of the database, with the
 * production code that compares the two clocks.
 */
export class ProcessClock implements Clock {
  private offsetMs = 0;
  private driftPpm = 0;
  private setAtMs: number;
  /** Whether a comparison has shown that the clock is wrong. */
  private isShownWrong = false;
  private readonly check: ClockCheck;

  constructor(private readonly parts: ProcessClockParts) {
    const { scheduler, process, logger } = parts;
    this.setAtMs = scheduler.nowMs;
    this.check = new ClockCheck(
      { query: () => this.readDatabase() } as unknown as CheckParts[0],
      NO_HEALTH as unknown as CheckParts[1],
      NO_METRICS as unknown as CheckParts[2],
      logger,
      () => this.nowMs,
      () => scheduler.nowMs,
    );
    this.compare();
    // Skips comparisons whose result cannot matter. Compares the clocks only while this clock is
    // wrong, or until a comparison has shown that it is right.
    const compareIfNeeded = (): void => {
      if (this.isUnsettled) this.compare();
    };
    scheduler.every(process, CHECK_EVERY_MS, compareIfNeeded);
  }

  now(): Instant {
    return this.isDisturbed ? instantFromMs(this.nowMs) : this.parts.scheduler.clock.now();
  }

  /** Business time for timed work; null while this process must not do timed work. */
  timed(): Instant | null {
    return this.check.isRight ? this.now() : null;
  }

  /**
   * Whether this process does timed work although a comparison has shown that its clock is wrong.
   */
  get isIgnored(): boolean {
    return this.isShownWrong && this.isWrong && this.check.isRight;
  }

  /** Whether the clock is wrong, or no comparison has yet shown that it is right. */
  get isUnsettled(): boolean {
    return this.isDisturbed || !this.check.isRight;
  }

  get isDisturbed(): boolean {
    return this.offsetMs !== 0 || this.driftPpm !== 0;
  }

  /** The clock jumps, by up to three days, and drifts from then on. */
  disturb(random: Random): void {
    const sizeMs = random.pick([
      random.int(0, 4_000),
      random.int(6, 600) * SECOND_MS,
      random.int(1, 72) * HOUR_MS,
    ]);
    const sign = random.pick([-1, 1]);
    this.set(sign * sizeMs, random.int(-MOST_DRIFT_PPM, MOST_DRIFT_PPM));
  }

  correct(): void {
    this.set(0, 0);
  }

  private set(offsetMs: number, driftPpm: number): void {
    Object.assign(this, { offsetMs, driftPpm, isShownWrong: false });
    this.setAtMs = this.parts.scheduler.nowMs;
  }

  private get offMs(): number {
    const sinceMs = this.parts.scheduler.nowMs - this.setAtMs;
    return this.offsetMs + Math.round((sinceMs * this.driftPpm) / 1_000_000);
  }

  private get isWrong(): boolean {
    return Math.abs(this.offMs) > MAX_OFF_MS;
  }

  private get nowMs(): number {
    return this.parts.scheduler.nowMs + this.offMs;
  }

  private compare(): void {
    void this.check.check();
  }

  private async readDatabase(): Promise<{ readonly rows: readonly object[] }> {
    const { scheduler, exchange } = this.parts;
    const { setAtMs } = this;
    const askedAtMs = scheduler.nowMs;
    const ms = await exchange('read the clock', 'plain', () => scheduler.nowMs);
    // If the response took time, the comparison may not prove that the clock is wrong.
    const isClear = ms === askedAtMs && setAtMs === this.setAtMs;
    if (isClear && this.isWrong) this.isShownWrong = true;
    return { rows: [{ ms }] };
  }
}
