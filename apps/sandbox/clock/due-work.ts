import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import { earliest } from './earliest.js';

/** Work that falls due on the sandbox's clock: clearing, expiries, webhook attempts. */
export interface DueSource {
  readonly name: string;
  /**
   * True if the work only notifies clients of completed work. In real time, other work starts
   * without waiting for these notifications.
   */
  readonly notifiesOnly?: true;
  /** The next due instant; null when no work is scheduled or no work can start now. */
  nextDue(): Promise<Instant | null>;
  /** Starts all work that is due up to `upTo`; the work may continue in the background. */
  begin(upTo: Instant): Promise<void>;
  /** Resolves when all started work has ended. */
  settled(): Promise<void>;
}

const nextOf = async (sources: readonly DueSource[]): Promise<Instant | null> =>
  earliest(await Promise.all(sources.map((source) => source.nextDue())));

const beginAll = async (sources: readonly DueSource[], upTo: Instant): Promise<void> => {
  for (const source of sources) await source.begin(upTo);
};

/** Combines the due work of all modules; each module adds its source. */
@Injectable()
export class DueWork {
  private readonly sources: DueSource[] = [];
  private stopping = false;

  add(source: DueSource): void {
    this.sources.push(source);
  }

  /** At shutdown, work in progress ends at its next due instant; the rest remains in the database. */
  stop(): void {
    this.stopping = true;
  }

  async nextDue(): Promise<Instant | null> {
    return nextOf(this.sources);
  }

  /**
   * Starts all work that is due up to `upTo`, one due instant after another across all sources, so
   * that work missed during a downtime is done in the order in which it fell due. Returns the next
   * due instant.
   */
  async begin(upTo: Instant): Promise<Instant | null> {
    const notifiers = this.sources.filter(({ notifiesOnly }) => notifiesOnly === true);
    const workers = this.sources.filter((source) => !notifiers.includes(source));
    await beginAll(notifiers, upTo);
    for (;;) {
      const [next, notified] = await Promise.all([nextOf(workers), nextOf(notifiers)]);
      if (next === null || next > upTo || this.stopping) return earliest([next, notified]);
      await beginAll(workers, next);
    }
  }

  /**
   * Starts and completes all work that is due up to `upTo`, including work that is scheduled
   * meanwhile; completes the work of one due instant before the work of the next.
   */
  async finish(upTo: Instant): Promise<void> {
    for (;;) {
      await this.settled();
      const next = await this.nextDue();
      if (next === null || next > upTo || this.stopping) return;
      await beginAll(this.sources, next);
    }
  }

  async settled(): Promise<void> {
    for (const source of this.sources) await source.settled();
  }
}
