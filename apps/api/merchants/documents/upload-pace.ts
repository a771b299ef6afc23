import type { FastifyRequest } from 'fastify';
import type { Problem } from '#platform';
import { problem } from '../../shared/error-codes.js';
import { watchRate } from './least-rate.js';

const tooSlow = (): Problem => problem('upload_too_slow', { headers: { connection: 'close' } });

/**
 * Ends an upload whose sender is too slow. The time in which received data waits for us or for the
 * provider does not count.
 */
export class UploadPace {
  private readonly waiting = new Set<(error: Problem) => void>();
  private failure: Problem | null = null;
  readonly stop: () => void;

  constructor({ raw }: FastifyRequest) {
    const transfer = {
      bytes: () => raw.socket.bytesRead,
      isWaitedFor: () => !raw.complete && raw.readableLength === 0,
    };
    this.stop = watchRate(transfer, () => this.fail(tooSlow()));
  }

  /** Calls `end` as soon as the sender is too slow; immediately if the sender already is. */
  onTooSlow(end: (error: Problem) => void): void {
    if (this.failure === null) this.waiting.add(end);
    else end(this.failure);
  }

  /** Passes the content on; throws `Problem` 408 when the sender is too slow. */
  async *keep<T>(content: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const iterator = content[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.inTime(iterator.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      const ended = iterator.return?.();
      // After a failure, the end of the iterator is not awaited, because a slow sender can delay it
      // until the connection ends.
      if (this.failure === null) await ended;
      else ended?.catch(() => undefined);
    }
  }

  /**
   * Returns the result of `work`, or rejects as soon as the sender is too slow. `Promise.race` with
   * one shared promise would keep every chunk in memory to the end.
   */
  private inTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onTooSlow(reject);
      work.then(resolve, reject).finally(() => this.waiting.delete(reject));
    });
  }

  private fail(error: Problem): void {
    this.failure = error;
    for (const end of this.waiting) end(error);
    this.waiting.clear();
  }
}
