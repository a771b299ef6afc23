import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Instant } from '#kernel';

const LOOK_EVERY_MS = 15;

/** The state of one part of the process at a check. */
export interface IdleLook {
  /** Its pending work, in words for operators; null: none. */
  readonly busy: string | null;
  /**
   * Changes whenever the part has done any work: equal values at two checks mean that nothing
   * moved.
   */
  readonly mark: string;
}

export interface IdleCheck {
  readonly name: string;
  readonly look: () => Promise<IdleLook>;
  /** The next instant of business time with scheduled work, if known. */
  readonly next?: () => Promise<Instant | null>;
}

/**
 * Whether this process has done all due work. Each part adds its own check; an app without checks
 * is always idle.
 */
@Injectable()
export class IdleChecks implements OnModuleDestroy {
  private readonly checks: IdleCheck[] = [];
  private stopping = false;

  add(check: IdleCheck): void {
    this.checks.push(check);
  }

  /**
   * Waits until every part is idle at two checks without any work in between: work that is passed
   * from one part to the next is in neither for a moment. Returns the pending work after
   * `timeoutMs` of wall time, or when the process stops; null: idle.
   */
  async untilIdle(timeoutMs: number): Promise<string | null> {
    const deadlineMs = performance.now() + timeoutMs;
    let before: IdleLook | null = null;
    for (;;) {
      if (this.stopping) return 'the process is stopping';
      const seen: IdleLook = await this.look();
      const isIdle = seen.busy === null;
      if (isIdle && (this.checks.length === 0 || before?.mark === seen.mark)) return null;
      if (performance.now() >= deadlineMs) return seen.busy ?? 'still moving';
      before = isIdle ? seen : null;
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** The earliest instant with scheduled work in any part; null: none. */
  async next(): Promise<Instant | null> {
    const instants = await Promise.all(this.checks.map(({ next }) => next?.() ?? null));
    return instants.filter((at) => at !== null).toSorted()[0] ?? null;
  }

  /** A client that waits for this process retries after its restart. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** Stops at the first busy part, because some checks are expensive. */
  private async look(): Promise<IdleLook> {
    const marks: string[] = [];
    for (const { name, look } of this.checks) {
      const { busy, mark } = await look();
      if (busy !== null) return { busy: `${name}: ${busy}`, mark };
      marks.push(mark);
    }
    return { busy: null, mark: JSON.stringify(marks) };
  }
}
