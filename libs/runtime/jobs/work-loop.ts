import type { Logger } from '#platform';

/** Looks come apart by this while there is no work. */
const IDLE_GROWTH = 1.3;
/** After a failed claim (the database is away) the loop waits longer each time, up to this. */
const LONGEST_PAUSE_MS = 2_000;

export interface WorkLoopParts<Job> {
  readonly name: string;
  readonly logger: Logger;
  /** Jobs run at once at most. */
  readonly width: number;
  /** Wall time between looks while there is no work: from `first` on, up to `widest`. */
  readonly idleMs: { readonly first: number; readonly widest: number };
  /** Takes at most `limit` jobs for this process alone; empty when there are none. */
  readonly claim: (limit: number) => Promise<readonly Job[]>;
  /** Carries one job out. What it throws is logged; the job's claim lapses by itself. */
  readonly run: (job: Job) => Promise<void>;
}

/**
 * Claims and runs jobs, several at once, until stopped. It looks again at once where a look found
 * as many as it had asked for, and when the last job under way has ended: what the jobs themselves
 * have brought is found then. The look itself is the truth, and `wake` only spares a wait.
 */
export class WorkLoop<Job> {
  private readonly running = new Set<Promise<void>>();
  private looping: Promise<void> | null = null;
  private stopped = false;
  private woken = false;
  private rouse: () => void = () => {};

  constructor(private readonly parts: WorkLoopParts<Job>) {}

  start(): void {
    this.looping ??= this.loop();
  }

  /** There may be work now. */
  wake(): void {
    this.woken = true;
    this.rouse();
  }

  /** Takes nothing more, and resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.rouse();
    await this.looping;
    await Promise.all(this.running);
  }

  private async loop(): Promise<void> {
    const { first, widest } = this.parts.idleMs;
    let pauseMs = first;
    while (!this.stopped) {
      const free = this.parts.width - this.running.size;
      if (free === 0) {
        await Promise.race(this.running);
        continue;
      }
      this.woken = false;
      try {
        const jobs = await this.parts.claim(free);
        for (const job of jobs) this.begin(job);
        pauseMs = jobs.length > 0 ? first : Math.min(pauseMs * IDLE_GROWTH, widest);
        if (jobs.length === free) continue;
      } catch (err) {
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
        this.parts.logger.warn({ err, loop: this.parts.name }, 'no work could be claimed');
      }
      await this.pause(pauseMs);
    }
  }

  private begin(job: Job): void {
    const run = this.parts.run(job)
      .catch((err: unknown) => {
        this.parts.logger.error({ err, loop: this.parts.name }, 'a job failed');
      })
      .finally(() => {
        this.running.delete(run);
        if (this.running.size === 0) this.wake();
      });
    this.running.add(run);
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.woken || this.stopped) return resolve();
      const timer = setTimeout(resolve, ms);
      this.rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
