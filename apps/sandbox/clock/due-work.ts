import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import { earliest } from './earliest.js';

/** Work that falls due on the sandbox's clock: clearing, expiries, webhook attempts. */
export interface DueSource {
  readonly name: string;
  /** It only tells what others have done: in real time nothing of theirs has to wait for it. */
  readonly onlyTells?: true;
  /** When work falls due next; null when there is none, or none that could begin now. */
  nextDue(): Promise<Instant | null>;
  /** Begins all work due by then; what it starts may go on in the background. */
  begin(upTo: Instant): Promise<void>;
  /** Resolves when nothing that was begun is still going on. */
  settled(): Promise<void>;
}

const nextOf = async (sources: readonly DueSource[]): Promise<Instant | null> =>
  earliest(await Promise.all(sources.map((source) => source.nextDue())));

const beginAll = async (sources: readonly DueSource[], upTo: Instant): Promise<void> => {
  for (const source of sources) await source.begin(upTo);
};

/** All due work, as one. Each part adds its own source. */
@Injectable()
export class DueWork {
  private readonly sources: DueSource[] = [];

  add(source: DueSource): void {
    this.sources.push(source);
  }

  async nextDue(): Promise<Instant | null> {
    return nextOf(this.sources);
  }

  /**
   * Begins all that is due by then, one due instant after the other over all sources: after a time
   * in which nobody was there it happens in the order in which it would have happened.
   */
  async begin(upTo: Instant): Promise<void> {
    const telling = this.sources.filter(({ onlyTells }) => onlyTells === true);
    const doing = this.sources.filter((source) => !telling.includes(source));
    await beginAll(telling, upTo);
    for (;;) {
      const next = await nextOf(doing);
      if (next === null || next > upTo) return;
      await beginAll(doing, next);
    }
  }

  /** Does it to its end too, what falls due meanwhile included, before the next due instant. */
  async finish(upTo: Instant): Promise<void> {
    for (;;) {
      await this.settled();
      const next = await this.nextDue();
      if (next === null || next > upTo) return;
      await beginAll(this.sources, next);
    }
  }

  async settled(): Promise<void> {
    for (const source of this.sources) await source.settled();
  }
}
