import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ApiKeyStore } from '#platform';

/** How long after it was revoked a key may still be told something. */
const SEEN_MS = 1_000;

interface Question {
  readonly prefixes: Set<string>;
  readonly answer: Promise<ReadonlySet<string>>;
}

/**
 * Which keys still open anything, as the database said a second ago at most: for what stays open
 * longer than a key is remembered. All who ask while one question is under way share the next one.
 */
@Injectable()
export class LiveKeys {
  private readonly store: Pick<ApiKeyStore, 'liveOf'>;
  /** By prefix, when the question was put to which the answer was that the key is live. */
  private readonly seenLive = new Map<string, number>();
  private next: Question | null = null;
  private underWay: Promise<unknown> = Promise.resolve();

  constructor(@Inject(Pool) pool: Pool) {
    this.store = new ApiKeyStore(pool);
  }

  /** Whether the key was live in the last second. Rejects with the database. */
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
    // Each of those who asked is told of a failure; who comes next asks again.
    this.underWay = answer.catch(() => undefined);
    return { prefixes, answer };
  }
}
