import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The first and the longest pause of a poller in milliseconds of wall time, and the factor by which
 * a pause grows.
 */
const FIRST_MS = 10;
const LONGEST_MS = 5_000;
const GROWTH = 1.5;

/** The pauses of a poller in milliseconds of wall time, if they differ from the default. */
export interface IdleMs {
  readonly first?: number;
  readonly longest?: number;
  /**
   * The minimum time between two reads, even after a notification, so that all work that arrives
   * within this time is read together.
   */
  readonly gather?: number;
  /**
   * How many reads may follow each other immediately after a time without work; default 1. In the
   * long run `gather` still limits the number of reads, so under load there are not more reads than
   * without bursts.
   */
  readonly burst?: number;
}

/**
 * The wait of a poller between two reads: of the relay, the projections, the jobs and other log
 * consumers. `wake` ends the wait. Otherwise the pause is short at first and grows by half each
 * time, up to five seconds: work without a notification is found within five seconds, and earlier if
 * the poller had work shortly before.
 */
export class Idle {
  private readonly firstMs: number;
  private readonly longestMs: number;
  private readonly gatherMs: number;
  private readonly burst: number;
  /**
   * The next read waits until this time, unless it is past. Each read moves the time forward by the
   * minimum time between reads; a period without work leaves it in the past, which allows a burst
   * of reads.
   */
  private usedUntilMs = -Infinity;
  private pauseMs: number;
  private woken = false;
  private rouse: () => void = () => {};
  private shorten: () => void = () => {};

  constructor({ first = FIRST_MS, longest = LONGEST_MS, gather = 0, burst = 1 }: IdleMs = {}) {
    this.firstMs = first;
    this.longestMs = longest;
    this.gatherMs = gather;
    this.burst = burst;
    this.pauseMs = first;
  }

  /**
   * Notifies the poller that there may be work. A read in progress may have missed this work, so
   * the wait after that read ends immediately.
   */
  wake(): void {
    this.woken = true;
    this.rouse();
  }

  /** Must be called when a read starts: the read finds the work of all earlier notifications. */
  reading(): void {
    this.woken = false;
  }

  /**
   * Must be called when work was found and more work is likely: the current or the next pause
   * becomes short.
   */
  soon(): void {
    this.pauseMs = this.firstMs;
    this.shorten();
  }

  /** Waits until it is time for the next read, or until the signal is aborted. */
  async wait(signal?: AbortSignal): Promise<void> {
    const restMs = this.restMs();
    if (restMs > 0) await sleep(restMs, undefined, { signal }).catch(() => undefined);
    if (!this.woken && signal?.aborted !== true) await this.pause(signal);
    this.pauseMs = this.woken ? this.firstMs : Math.min(this.pauseMs * GROWTH, this.longestMs);
  }

  /** The rest of the minimum time until the next read. */
  private restMs(): number {
    const nowMs = performance.now();
    const leastMs = nowMs - (this.burst - 1) * this.gatherMs;
    this.usedUntilMs = Math.max(this.usedUntilMs, leastMs) + this.gatherMs;
    return this.usedUntilMs - nowMs;
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
