/** Waits until the time is over or the signal aborts. An abort causes no error. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });

/** Runs work at once and then after each pause, until the signal aborts, even if the work fails. */
export const repeatedly = async (
  work: () => Promise<void>,
  pauseMs: number,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    await pause(pauseMs, signal);
  }
};

export interface BackoffRange {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Jittered waits that double from `firstMs` up to `maxMs`. */
export class Backoff {
  private nextMs: number;

  constructor(private readonly range: BackoffRange) {
    this.nextMs = range.firstMs;
  }

  reset(): void {
    this.nextMs = this.range.firstMs;
  }

  async wait(signal: AbortSignal): Promise<void> {
    const ms = this.nextMs * (0.75 + Math.random() / 2);
    this.nextMs = Math.min(this.nextMs * 2, this.range.maxMs);
    await pause(ms, signal);
  }
}

/**
 * A signal that aborts when its parent signal aborts; `end` detaches the signal from its parent.
 */
export class ChildAbort {
  private readonly controller = new AbortController();
  private readonly follow = (): void => this.controller.abort();

  constructor(private readonly parent: AbortSignal) {
    if (parent.aborted) this.controller.abort();
    else parent.addEventListener('abort', this.follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    this.controller.abort();
    this.parent.removeEventListener('abort', this.follow);
  }
}
