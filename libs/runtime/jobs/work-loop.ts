import { setTimeout } from 'node:timers/promises';
import { Idle, type IdleMs } from '#log';
import type { Logger } from '#platform';

/** After a failed claim (the database is away) the loop waits so long. */
const RETRY_MS = 1_000;

export interface WorkLoopParts<Job> {
  readonly name: string;
  readonly logger: Logger;
  /** Jobs run at once at most. */
  readonly width: number;
  /** Where the pauses between claims are not the usual ones. */
  readonly idleMs?: IdleMs;
  /** Takes at most `limit` jobs for this process alone; empty when there are none. */
  readonly claim: (limit: number) => Promise<readonly Job[]>;
  /** Runs one job. What it throws is logged; the job's claim lapses by itself. */
  readonly run: (job: Job) => Promise<void>;
}

/**
 * Claims and runs jobs, several at once, until stopped. It claims again at once where a
 * claim returned as many as requested. Polling finds all work; `wake` only makes it earlier.
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

  /** There may be work now. */
  wake(): void {
    this.idle.wake();
  }

  /** Takes nothing more, and resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.looping;
    await Promise.all(this.running);
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const free = this.parts.width - this.running.size;
      if (free === 0) {
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
        this.parts.logger.warn({ err, loop: this.parts.name }, 'no work could be claimed');
        await setTimeout(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private begin(job: Job): void {
    const run = this.parts
      .run(job)
      .catch((err: unknown) => {
        this.parts.logger.error({ err, loop: this.parts.name }, 'a job failed');
      })
      .finally(() => {
        this.running.delete(run);
        // What it has brought, or what has waited for it.
        this.idle.soon();
      });
    this.running.add(run);
  }
}
