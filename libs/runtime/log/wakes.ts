import { randomText } from '#kernel';

/** What may have come: events of the log, or jobs that are due. */
export type Sort = 'log' | 'jobs';

/** The channel of PostgreSQL on which commits are told. */
export const WAKE_CHANNEL = 'committed';

/**
 * A process tells the others of its commits at most so often. Who was woken reads again after 10, 15,
 * 23 milliseconds (see `Idle`): what is committed meanwhile is found by that.
 */
const TOLD_AGAIN_AFTER_MS = 50;
const SOON_MS = 50;

/**
 * Wakes who waits for what was committed, in this process and in the others, to which the commit
 * itself carries a NOTIFY. A wake only spares a wait: one that is lost costs a second at most.
 */
export class Wakes {
  private readonly listeners: Record<Sort, Set<() => void>> = { log: new Set(), jobs: new Set() };
  private readonly toldAtMs: Record<Sort, number> = { log: -Infinity, jobs: -Infinity };
  private readonly waking: Record<Sort, NodeJS.Timeout | null> = { log: null, jobs: null };
  /** By this a process knows its own notifications. */
  private readonly process = randomText(12);

  /** Answers how to end it. */
  on(sort: Sort, listener: () => void): () => void {
    this.listeners[sort].add(listener);
    return () => this.listeners[sort].delete(listener);
  }

  /** Something was committed by this process. */
  wake(sort: Sort): void {
    for (const listener of this.listeners[sort]) listener();
  }

  /** As `wake`, a little later: once for all of what comes meanwhile, where there is no hurry. */
  soon(sort: Sort): void {
    this.waking[sort] ??= setTimeout(() => {
      this.waking[sort] = null;
      this.wake(sort);
    }, SOON_MS).unref();
  }

  /** What a commit is to tell the other processes; null where they were told just before. */
  toTell(sort: Sort): string | null {
    const nowMs = performance.now();
    if (nowMs - this.toldAtMs[sort] < TOLD_AGAIN_AFTER_MS) return null;
    this.toldAtMs[sort] = nowMs;
    return `${sort} ${this.process}`;
  }

  /** A commit has failed, and may have told nothing. */
  notTold(): void {
    this.toldAtMs.log = -Infinity;
    this.toldAtMs.jobs = -Infinity;
  }

  /** Another process has committed something. */
  heard(told: string): void {
    const [sort, process] = told.split(' ');
    if (process === this.process || (sort !== 'log' && sort !== 'jobs')) return;
    this.wake(sort);
    // A commit that asks for jobs has written to the log, or soon will.
    if (sort === 'jobs') this.wake('log');
  }

  /** Nobody knows what was told meanwhile. */
  wakeAll(): void {
    this.wake('log');
    this.wake('jobs');
  }
}
