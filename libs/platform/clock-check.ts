import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { firstRow } from './first-row.js';
import type { HealthChecks } from './health.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';

const CHECK_EVERY_MS = 60_000;
/**
 * The maximum tolerated offset. Clocks that NTP synchronises differ by milliseconds, and an order's
 * expiry is exact to the second.
 */
const MAX_OFF_MS = 5_000;
/** The interval between comparisons until the first comparison has a result. */
const FIRST_CHECKS_EVERY_MS = 2_000;

/**
 * Compares this process's clock with the database's clock, which all processes share: at the start,
 * and then every minute. A process with a wrong clock would expire orders too early and run jobs
 * that are not due, so it runs no timed work and reports the offset. Before the first result it
 * runs no timed work, either.
 */
export class ClockCheck implements OnModuleInit, OnModuleDestroy {
  /**
   * The smallest offset that is possible according to the last comparison; positive if this
   * process's clock is ahead of the database's clock.
   */
  private offMs = 0;
  private verdict: 'unknown' | 'right' | 'off' = 'unknown';
  /** How far this clock was ahead of the monotonic clock when it was last shown to be right. */
  private rightAheadMs = 0;
  private timer: NodeJS.Timeout | null = null;
  private isEnding = false;

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    health: HealthChecks,
    metrics: Metrics,
    private readonly logger: Logger,
    private readonly wallMs: () => number = Date.now,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {
    metrics.gauge(
      'clock_offset_seconds',
      'Seconds by which this process’s clock is ahead of the database’s clock',
      [],
      (gauge) => gauge.set(this.offMs / 1_000),
    );
    health.add('clock', () => (this.isRight ? Promise.resolve() : Promise.reject(this.whyNot())));
  }

  /** Whether this process may do timed work. */
  get isRight(): boolean {
    return this.verdict === 'right' && !this.hasJumped;
  }

  /**
   * Whether the clock has jumped since the last comparison that showed that it is right. Timed work
   * of the minute until the next comparison would otherwise use the wrong time.
   */
  private get hasJumped(): boolean {
    return Math.abs(this.wallMs() - this.monotonicMs() - this.rightAheadMs) > MAX_OFF_MS;
  }

  async onModuleInit(): Promise<void> {
    await this.check();
    this.checkLater();
  }

  onModuleDestroy(): void {
    this.isEnding = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  /**
   * Compares the clocks once. The previous result is kept if the database does not respond, or
   * responds too late.
   */
  async check(): Promise<void> {
    const { pool, logger } = this;
    try {
      const askedMs = this.wallMs();
      const row = await firstRow<{ ms: number }>(
        pool,
        'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
      );
      const answeredMs = this.wallMs();
      // The database read its clock at an unknown moment between request and response, because the
      // request may have waited for a connection.
      if (row === undefined) return;
      const offsets = [askedMs - row.ms, answeredMs - row.ms] as const;
      // If the clock jumps back during the comparison, the second offset is the smaller one.
      this.judge(Math.min(...offsets), Math.max(...offsets), answeredMs - this.monotonicMs());
    } catch (err) {
      logger.warn({ err }, 'the clock could not be compared with the database’s');
    }
  }

  /**
   * Decides by the range of possible offsets. If both a correct and a wrong clock are possible, the
   * previous result is kept. `aheadMs`: how far this clock is ahead of the monotonic clock.
   */
  private judge(leastMs: number, mostMs: number, aheadMs: number): void {
    const isRight = leastMs >= -MAX_OFF_MS && mostMs <= MAX_OFF_MS;
    const isOff = leastMs > MAX_OFF_MS || mostMs < -MAX_OFF_MS;
    if (!isRight && !isOff) return;
    this.offMs = leastMs > 0 ? leastMs : Math.min(mostMs, 0);
    const before = this.verdict;
    this.verdict = isRight ? 'right' : 'off';
    if (isRight) this.rightAheadMs = aheadMs;
    if (this.verdict === before) return;
    const fields = { offMs: Math.round(this.offMs) };
    const { logger } = this;
    if (isOff) logger.error(fields, 'the clock is wrong, so no timed work runs: synchronise it');
    else if (before === 'off') logger.info(fields, 'the clock of this process is correct again');
  }

  private checkLater(): void {
    if (this.isEnding) return;
    const afterMs = this.verdict === 'unknown' ? FIRST_CHECKS_EVERY_MS : CHECK_EVERY_MS;
    this.timer = setTimeout(() => void this.check().then(() => this.checkLater()), afterMs);
    this.timer.unref();
  }

  private whyNot(): Error {
    if (this.verdict === 'right') {
      return new Error('the clock of this process has jumped since the last comparison');
    }
    return new Error(
      this.verdict === 'unknown'
        ? 'the clock of this process was not compared with the database’s clock yet'
        : `the clock of this process is ${Math.round(this.offMs / 1_000)} s off the database’s clock`,
    );
  }
}
