import { setTimeout as sleep } from 'node:timers/promises';

/** Wall time, milliseconds. */
const FIRST_MS = 10;
const LONGEST_MS = 1_000;
const GROWTH = 1.5;

/** Where the pauses of a reader are not the usual ones; wall time, milliseconds. */
export interface IdleMs {
  readonly first?: number;
  readonly longest?: number;
  /** At least so long between two reads, also when woken: what comes meanwhile is read together. */
  readonly gather?: number;
}

/**
 * How all that looks for work waits between two reads: the relay, the projections, jobs, readers of
 * the log. A wake ends the wait. Without one the pause begins short and grows by half each time, up
 * to a second: what no wake has announced is found as well, after half as long again as it has been
 * quiet, and a second late at most. A reader that has been idle for long costs one read a second.
 */
export class Idle {
  private readonly firstMs: number;
  private readonly longestMs: number;
  private readonly gatherMs: number;
  private pauseMs: number;
  private woken = false;
  private rouse: () => void = () => {};
  private shorten: () => void = () => {};

  constructor({ first = FIRST_MS, longest = LONGEST_MS, gather = 0 }: IdleMs = {}) {
    this.firstMs = first;
    this.longestMs = longest;
    this.gatherMs = gather;
    this.pauseMs = first;
  }

  /** There may be work. A read under way may have missed it: then the next wait ends at once. */
  wake(): void {
    this.woken = true;
    this.rouse();
  }

  /** A read begins: it sees what woke it. */
  reading(): void {
    this.woken = false;
  }

  /** There was work, and more may follow: the pause under way, or the next one, is short. */
  soon(): void {
    this.pauseMs = this.firstMs;
    this.shorten();
  }

  /** Until the next read, or the signal. */
  async wait(signal?: AbortSignal): Promise<void> {
    if (this.gatherMs > 0) await sleep(this.gatherMs, undefined, { signal }).catch(() => undefined);
    if (!this.woken && signal?.aborted !== true) await this.pause(signal);
    this.pauseMs = this.woken ? this.firstMs : Math.min(this.pauseMs * GROWTH, this.longestMs);
  }

  private pause(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.rouse = this.shorten = () => {};
        resolve();
      };
      const endsAtMs = performance.now() + this.pauseMs;
      let timer = setTimeout(end, this.pauseMs);
      signal?.addEventListener('abort', end, { once: true });
      this.rouse = end;
      this.shorten = () => {
        if (performance.now() + this.firstMs >= endsAtMs) return;
        clearTimeout(timer);
        timer = setTimeout(end, this.firstMs);
        this.shorten = () => {};
      };
    });
  }
}
