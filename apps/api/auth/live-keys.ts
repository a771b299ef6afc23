import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ApiKeyStore } from '#platform';

interface Question {
  readonly prefixes: Set<string>;
  readonly answer: Promise<ReadonlySet<string>>;
}

/**
 * Which keys still open anything, read from the database each time: for what stays open longer
 * than a key is remembered. All who ask while one question is under way share the next one.
 */
@Injectable()
export class LiveKeys {
  private readonly store: Pick<ApiKeyStore, 'liveOf'>;
  private next: Question | null = null;
  private underWay: Promise<unknown> = Promise.resolve();

  constructor(@Inject(Pool) pool: Pool) {
    this.store = new ApiKeyStore(pool);
  }

  /** Whether the key was live at some moment after this was asked. Rejects with the database. */
  async isLive(prefix: string): Promise<boolean> {
    this.next ??= this.ask();
    this.next.prefixes.add(prefix);
    return (await this.next.answer).has(prefix);
  }

  private ask(): Question {
    const prefixes = new Set<string>();
    const answer = this.underWay.then(() => {
      this.next = null;
      return this.store.liveOf([...prefixes]);
    });
    // Each of those who asked is told of a failure; who comes next asks again.
    this.underWay = answer.catch(() => undefined);
    return { prefixes, answer };
  }
}
