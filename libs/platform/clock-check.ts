import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import type { HealthChecks } from './health.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';

const CHECK_EVERY_MS = 60_000;
/** Clocks on NTP are within milliseconds; an order's expiry is told to the second. */
const MAX_OFF_MS = 5_000;

export interface ClockCheckParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly health: HealthChecks;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly wallMs?: () => number;
}

/**
 * Compares this process's clock with the database's, which all processes share: at the start, and
 * every minute. One that is off would end orders that live, and read what is not due; so it does no
 * timed work, and says so.
 */
export class ClockCheck implements OnModuleInit, OnModuleDestroy {
  /** Positive: ahead of the database. As near to 0 as the exchange with it allows. */
  private offMs = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly wallMs: () => number;

  constructor(private readonly parts: ClockCheckParts) {
    const { health, metrics, wallMs = Date.now } = parts;
    this.wallMs = wallMs;
    metrics.gauge(
      'clock_offset_seconds', 'How far this process is ahead of the database’s clock', [],
      (gauge) => gauge.set(this.offMs / 1_000),
    );
    health.add('clock', () => (this.isOff
      ? Promise.reject(new Error(`the clock is ${Math.round(this.offMs / 1_000)} s off the database’s`))
      : Promise.resolve()));
  }

  /** Whether what depends on the time must not be done here. */
  get isOff(): boolean {
    return Math.abs(this.offMs) > MAX_OFF_MS;
  }

  async onModuleInit(): Promise<void> {
    await this.check();
    this.timer = setInterval(() => void this.check(), CHECK_EVERY_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  /** What claims timed work; while the clock is off it claims nothing. */
  timed<T>(claim: (limit: number) => Promise<readonly T[]>): (limit: number) => Promise<readonly T[]> {
    return (limit) => (this.isOff ? Promise.resolve([]) : claim(limit));
  }

  /** One comparison; what is known stays while the database does not answer. */
  async check(): Promise<void> {
    const { pool, logger } = this.parts;
    const wasOff = this.isOff;
    try {
      const askedMs = this.wallMs();
      const { rows: [row] } = await pool.query<{ ms: number }>(
        'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms');
      const answeredMs = this.wallMs();
      if (row === undefined) return;
      // It was read at some moment in between: only what lies outside of that is off for sure.
      const { ms } = row;
      this.offMs = ms < askedMs ? askedMs - ms : ms > answeredMs ? answeredMs - ms : 0;
    } catch (err) {
      logger.warn({ err }, 'the clock could not be compared with the database’s');
      return;
    }
    if (this.isOff === wasOff) return;
    const fields = { offMs: Math.round(this.offMs) };
    if (this.isOff) logger.error(fields, 'the clock is off: no timed work is done here');
    else logger.info(fields, 'the clock is right again');
  }
}
