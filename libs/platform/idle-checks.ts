import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Instant } from '#kernel';

const CHECK_EVERY_MS = 15;

/** The state of one component of the process at an idle check. */
export interface IdleState {
  /** The pending work of the component, in words for operators; null: none. */
  readonly busy: string | null;
  /**
   * A value that changes whenever the component has done any work: equal values at two checks mean
   * that it did nothing in between.
   */
  readonly mark: string;
}

export interface IdleCheck {
  readonly name: string;
  readonly check: () => Promise<IdleState>;
  /** The next instant of business time at which the component has scheduled work, if known. */
  readonly next?: () => Promise<Instant | null>;
}

/**
 * Whether this process has done all due work. Each component adds its own check; an app without
 * checks is always idle.
 */
@Injectable()
export class IdleChecks implements OnModuleDestroy {
  private readonly checks: IdleCheck[] = [];
  private stopping = false;

  add(check: IdleCheck): void {
    this.checks.push(check);
  }

  /**
   * Waits until every component is idle at two checks without any work in between: work that is
   * passed from one component to the next is in neither for a moment. Returns the pending work
   * after `timeoutMs` of wall time, or when the process stops; null: idle.
   */
  async untilIdle(timeoutMs: number): Promise<string | null> {
    const deadlineMs = performance.now() + timeoutMs;
    let before: IdleState | null = null;
    for (;;) {
      if (this.stopping) return 'the process is stopping';
      const seen: IdleState = await this.check();
      const isIdle = seen.busy === null;
      if (isIdle && (this.checks.length === 0 || before?.mark === seen.mark)) return null;
      if (performance.now() >= deadlineMs) return seen.busy ?? 'still moving';
      before = isIdle ? seen : null;
      await sleep(CHECK_EVERY_MS);
    }
  }

  /** The earliest instant at which any component has scheduled work; null: none. */
  async next(): Promise<Instant | null> {
    const instants = await Promise.all(this.checks.map(({ next }) => next?.() ?? null));
    return instants.filter((at) => at !== null).toSorted()[0] ?? null;
  }

  /** The process is not idle from now on: a client that waits for it retries after the restart. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** Checks the components; stops at the first busy one, because some checks are expensive. */
  private async check(): Promise<IdleState> {
    const marks: string[] = [];
    for (const { name, check } of this.checks) {
      const { busy, mark } = await check();
      if (busy !== null) return { busy: `${name}: ${busy}`, mark };
      marks.push(mark);
    }
    return { busy: null, mark: JSON.stringify(marks) };
  }
}
