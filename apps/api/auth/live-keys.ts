import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ApiKeyStore } from '#platform';

/** How long a stream may still receive events after its key was revoked. */
const SEEN_MS = 1_000;

interface Question {
  readonly prefixes: Set<string>;
  readonly answer: Promise<ReadonlySet<string>>;
}

/**
 * Checks the keys of open event streams, which may stay open for longer than a key is cached. The
 * query behind a result is at most a second old. Callers that arrive during a query share the next
 * query.
 */
@Injectable()
export class LiveKeys {
  private readonly store: Pick<ApiKeyStore, 'liveOf'>;
  /** For each key prefix: the time at which the last query that found the key active was sent. */
  private readonly seenLive = new Map<string, number>();
  private next: Question | null = null;
  private underWay: Promise<unknown> = Promise.resolve();

  constructor(@Inject(Pool) pool: Pool) {
    this.store = new ApiKeyStore(pool);
  }

  /** Whether the key was active in the last second. Rejects when the database is unavailable. */
  async isLive(prefix: string): Promise<boolean> {
    const seen = this.seenLive.get(prefix);
    if (seen !== undefined && performance.now() - seen < SEEN_MS) return true;
    this.next ??= this.ask();
    this.next.prefixes.add(prefix);
    return (await this.next.answer).has(prefix);
  }

  private ask(): Question {
    const prefixes = new Set<string>();
    const answer = this.underWay.then(async () => {
      this.next = null;
      const asked = performance.now();
      const live = await this.store.liveOf([...prefixes]);
      for (const prefix of prefixes) {
        if (live.has(prefix)) this.seenLive.set(prefix, asked);
        else this.seenLive.delete(prefix);
      }
      return live;
    });
    // If the query fails, every waiting caller gets the error; the next caller starts a new query.
    this.underWay = answer.catch(() => undefined);
    return { prefixes, answer };
  }
}
