import { setTimeout } from 'node:timers/promises';
import { Idle, type IdleMs } from '#log';
import type { Logger } from '#platform';

/** The pause after a failed claim, e.g. during a database outage. */
const RETRY_MS = 1_000;

export interface WorkLoopParts<Job> {
  readonly name: string;
  readonly logger: Logger;
  /** The maximum number of simultaneous jobs. */
  readonly width: number;
  /** The pauses between claims, if they differ from the default. */
  readonly idleMs?: IdleMs;
  /** Claims at most `limit` jobs for this process; empty if there are none. */
  readonly claim: (limit: number) => Promise<readonly Job[]>;
  /** Runs one job. Errors are logged; the job's claim then expires. */
  readonly run: (job: Job) => Promise<void>;
}

/**
 * Claims and runs jobs, several simultaneously, until it is stopped. The loop claims again
 * immediately if a claim returned as many jobs as were requested. Polling finds all work; `wake`
 * only makes the loop find work earlier.
 */
export class WorkLoop<Job> {
  private readonly running = new Set<Promise<void>>();
  private looping: Promise<void> | null = null;
  private readonly stopping = new AbortController();
  private readonly idle: Idle;

  constructor(private readonly parts: WorkLoopParts<Job>) {
    this.idle = new Idle(parts.idleMs);
  }

  start(): void {
    this.looping ??= this.loop();
  }

  /** Notifies the loop of possible new work. */
  wake(): void {
    this.idle.wake();
  }

  /** Claims nothing more, and resolves when the jobs in progress have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.looping;
    await Promise.all(this.running);
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const free = this.parts.width - this.running.size;
      // More than `width` jobs may be running, because `begin` may be called during a claim.
      if (free <= 0) {
        await Promise.race(this.running);
        continue;
      }
      try {
        this.idle.reading();
        const jobs = await this.parts.claim(free);
        for (const job of jobs) this.begin(job);
        if (jobs.length > 0) this.idle.soon();
        if (jobs.length < free) await this.idle.wait(signal);
      } catch (err) {
        this.parts.logger.warn({ err, loop: this.parts.name }, 'no jobs could be claimed');
        await setTimeout(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Whether this process may start a job now: the loop runs and is not being stopped. */
  get isRunning(): boolean {
    return this.looping !== null && !this.stopping.signal.aborted;
  }

  /** Runs a claimed job. */
  begin(job: Job): void {
    const run = this.parts
      .run(job)
      .catch((err: unknown) => {
        this.parts.logger.error({ err, loop: this.parts.name }, 'a job failed');
      })
      .finally(() => {
        this.running.delete(run);
        // More work is likely, because jobs were claimed or a notification arrived during the
        // claim.
        this.idle.soon();
      });
    this.running.add(run);
  }
}
