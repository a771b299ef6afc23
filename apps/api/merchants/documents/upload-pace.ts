import type { FastifyRequest } from 'fastify';
import { Problem } from '#platform';
import { watchRate } from './least-rate.js';

const tooSlow = (): Problem =>
  new Problem(408, 'upload_too_slow', 'the document came too slowly: send it again', {
    headers: { connection: 'close' },
  });

/**
 * Ends an upload whose sender keeps everybody waiting. Time in which what was sent waits for us, or
 * for the provider, is not the sender's.
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

  /** Calls it when the sender is too slow, or has been. */
  onTooSlow(end: (error: Problem) => void): void {
    if (this.failure === null) this.waiting.add(end);
    else end(this.failure);
  }

  /** The same content; throws `Problem` 408 when its sender is too slow. */
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
      // One that waits for its sender ends with the connection, not before.
      if (this.failure === null) await ended;
      else ended?.catch(() => undefined);
    }
  }

  /** No race against one promise for all: it would hold each piece until the upload is over. */
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
