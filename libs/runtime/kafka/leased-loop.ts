import { hostname } from 'node:os';
import type { Pool } from 'pg';
import { Idle, type IdleMs } from '#log';
import type { Logger } from '#platform';
import { type AcquiredCall, type HeldLease, keepHeld, Lease, LeaseLost } from './lease.js';
import { Backoff, pause } from './pause.js';

const DEFAULT_TTL_MS = 9_000;
const TRIES_PER_TTL = 3;
const BACKOFF_FIRST_MS = 50;
const MAX_BACKOFF_MS = 2_000;

export interface LeasedWork {
  /** The name of the lease: one process at a time holds it. */
  readonly name: string;
  /** The call of the statement that acquires the lease. */
  readonly acquired?: AcquiredCall;
  /**
   * Called after each acquisition of the lease: must write the lease's token to the rows that the
   * lease protects.
   */
  readonly begin?: (lease: HeldLease) => Promise<void>;
  /**
   * One run of the work. `more`: there is more work, so the next run starts immediately. `end`:
   * there was work, and none is left; a short pause follows. `idle`: there was no work; a longer
   * pause follows.
   */
  readonly round: (lease: HeldLease, signal: AbortSignal) => Promise<'more' | 'end' | 'idle'>;
}

export interface LeasedLoopOptions {
  readonly pool: Pool;
  readonly logger: Logger;
  /** The pauses after runs without work, if they differ from the default. */
  readonly idleMs?: IdleMs;
  readonly ttlMs?: number;
}

/**
 * Runs work in the process that holds the lease. After an error the run is retried after a pause of
 * limited length, without a maximum number of retries; one line is logged when errors begin, and
 * one when they end. If the lease is lost, no further run starts, and the loop waits to acquire the
 * lease again.
 */
export class LeasedLoop {
  private readonly lease: Lease;
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;
  private readonly idle: Idle;
  private failingSinceMs: number | null = null;
  private lastFailure: Error | null = null;

  constructor(
    private readonly work: LeasedWork,
    private readonly options: LeasedLoopOptions,
  ) {
    this.idle = new Idle(options.idleMs);
    const holder = `${hostname()} ${process.pid}`;
    const { pool, ttlMs = DEFAULT_TTL_MS } = options;
    this.lease = new Lease(pool, work.name, holder, ttlMs, work.acquired);
  }

  /** Whether the last run failed. */
  get failing(): boolean {
    return this.failingSinceMs !== null;
  }

  /** The error of the last run; null if the last run succeeded. */
  get failure(): string | null {
    return this.failing ? (this.lastFailure?.message ?? null) : null;
  }

  start(): void {
    this.running ??= this.run();
  }

  /**
   * Notifies the loop that there may be work, which ends its pause early. Without a notification
   * the work is found later.
   */
  wake(): void {
    this.idle.wake();
  }

  /** Stops after the current run and releases the lease. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const backoff = new Backoff(BACKOFF_FIRST_MS, MAX_BACKOFF_MS);
    while (!signal.aborted) {
      try {
        const held = await this.lease.acquire();
        backoff.reset();
        if (held !== null) await this.hold(held);
        else {
          this.recovered();
          await pause(this.lease.ttlMs / TRIES_PER_TTL, signal);
        }
      } catch (error) {
        this.failed(error);
        await backoff.wait(signal);
      }
    }
  }

  private async hold(held: HeldLease): Promise<void> {
    const { logger } = this.options;
    logger.info({ lease: held.name, fence: held.token }, 'lease taken');
    const ended = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, ended.signal]);
    const renewing = this.renew(held, signal).finally(() => ended.abort());
    try {
      await this.work.begin?.(held);
      await this.rounds(held, signal);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      logger.warn({ lease: held.name, reason: error.message }, 'lease lost');
    } finally {
      ended.abort();
      await renewing;
      await held.release();
    }
  }

  private async rounds(held: HeldLease, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(BACKOFF_FIRST_MS, MAX_BACKOFF_MS);
    while (!signal.aborted) {
      held.requireHeld();
      try {
        this.idle.reading();
        const outcome = await this.work.round(held, signal);
        this.recovered();
        backoff.reset();
        if (outcome !== 'idle') this.idle.soon();
        if (outcome !== 'more') await this.idle.wait(signal);
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        this.failed(error);
        await backoff.wait(signal);
      }
    }
    if (!this.stopping.signal.aborted)
      throw new LeaseLost(`another process has acquired the lease ${held.name}`);
  }

  /**
   * Extends the lease during the runs. If the lease expires before it can be extended, no further
   * run starts.
   */
  private renew(held: HeldLease, signal: AbortSignal): Promise<void> {
    return keepHeld(held, signal, (err) =>
      this.options.logger.warn({ err }, 'a lease could not be extended'),
    );
  }

  private failed(error: unknown): void {
    const known = this.lastFailure?.name;
    this.lastFailure = error instanceof Error ? error : new Error(String(error));
    // An error that differs from the last logged error is logged, too, because its message says
    // what to do.
    if (this.failingSinceMs !== null) {
      if (known === this.lastFailure.name) return;
      this.options.logger.error(
        { err: error, work: this.work.name },
        'the work now fails with a different error, and is retried',
      );
      return;
    }
    this.failingSinceMs = performance.now();
    this.options.logger.error(
      { err: error, work: this.work.name },
      'the work fails, and is retried',
    );
  }

  private recovered(): void {
    if (this.failingSinceMs === null) return;
    const failedForMs = Math.round(performance.now() - this.failingSinceMs);
    this.failingSinceMs = null;
    this.options.logger.info({ work: this.work.name, failedForMs }, 'the work succeeds again');
  }
}
