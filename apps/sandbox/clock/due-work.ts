import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import { earliest } from './earliest.js';

/** Work that falls due on the sandbox's clock: clearing, expiries, webhook attempts. */
export interface DueSource {
  readonly name: string;
  /** When work falls due next; null when there is none, or none that could begin now. */
  nextDue(): Promise<Instant | null>;
  /** Begins all work due by then; what it starts may go on in the background. */
  begin(upTo: Instant): Promise<void>;
  /** Resolves when nothing that was begun is still going on. */
  settled(): Promise<void>;
}

/** All due work, as one. Each part adds its own source. */
@Injectable()
export class DueWork {
  private readonly sources: DueSource[] = [];

  add(source: DueSource): void {
    this.sources.push(source);
  }

  async nextDue(): Promise<Instant | null> {
    return earliest(await Promise.all(this.sources.map((source) => source.nextDue())));
  }

  async begin(upTo: Instant): Promise<void> {
    for (const source of this.sources) await source.begin(upTo);
  }

  /** Does everything due by then, to its end, what falls due meanwhile included. */
  async finish(upTo: Instant): Promise<void> {
    for (;;) {
      await this.begin(upTo);
      await this.settled();
      const next = await this.nextDue();
      if (next === null || next > upTo) return;
    }
  }

  async settled(): Promise<void> {
    for (const source of this.sources) await source.settled();
  }
}
