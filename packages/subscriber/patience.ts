import { Backoff, type BackoffRange } from './backoff.js';
import { FeedUnavailable } from './feed.js';
import { ConnectionLost, HandlerFailed } from './handler-failed.js';
import type { Logger } from './logger.js';
import type { Store } from './store.js';

export const TRANSIENT_WAIT: BackoffRange = { firstMs: 50, maxMs: 5_000 };

/**
 * Retries work while infrastructure is unavailable, without limit, with bounded jittered backoff.
 */
export class Patience {
  private isFailing = false;

  constructor(
    private readonly store: Pick<Store<unknown>, 'isTransient'>,
    private readonly logger: Logger,
    private readonly wait: BackoffRange,
  ) {}

  isTransient(error: unknown): boolean {
    // A handler's error, such as a refused connection to another server, may look like an outage of
    // the store while the store works.
    if (error instanceof HandlerFailed) return false;
    if (error instanceof ConnectionLost) return true;
    return error instanceof FeedUnavailable || this.store.isTransient(error);
  }

  /** Retries the work while it fails for a transient reason. Rejects if the signal aborts. */
  async untilItWorks<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const backoff = new Backoff(this.wait);
    for (;;) {
      signal.throwIfAborted();
      try {
        const result = await work();
        this.succeeded();
        return result;
      } catch (error) {
        if (!this.isTransient(error)) throw error;
        if (!signal.aborted) this.failed(error);
        await backoff.wait(signal);
      }
    }
  }

  /** Logs one line when an outage begins and one when it ends. */
  private failed(error: unknown): void {
    if (!this.isFailing)
      this.logger.error(
        { err: error },
        'an operation fails for a transient reason; retrying until it succeeds',
      );
    this.isFailing = true;
  }

  private succeeded(): void {
    if (this.isFailing) this.logger.info({}, 'operations succeed again');
    this.isFailing = false;
  }
}
