export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Waits until the time is over or the signal is aborted. An aborted wait ends without an error,
 * because most waits are aborted when work arrives, and creating an error with its stack trace is
 * expensive.
 */
export const pause: Pause = (ms, signal) =>
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

/**
 * The waits between attempts: they double from `firstMs` up to `maxMs`, with a random deviation
 * (jitter) of up to a quarter.
 */
export class Backoff {
  private nextMs: number;

  constructor(
    private readonly firstMs: number,
    private readonly maxMs: number,
    private readonly pauseFor: Pause = pause,
  ) {
    this.nextMs = firstMs;
  }

  reset(): void {
    this.nextMs = this.firstMs;
  }

  async wait(signal: AbortSignal): Promise<void> {
    const ms = this.nextMs * (0.75 + Math.random() / 2);
    this.nextMs = Math.min(this.nextMs * 2, this.maxMs);
    await this.pauseFor(ms, signal);
  }
}
