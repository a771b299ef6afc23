import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Instant } from '#kernel';

const CHECK_EVERY_MS = 15;

/** Whether one component of the process has work to do. */
export interface IdleState {
  /** The pending work of the component, as a text for operators; null if there is none. */
  readonly busy: string | null;
  /**
   * A value that changes with each piece of work that the component does. If two checks return the
   * same value, the component has done nothing in between.
   */
  readonly mark: string;
}

export interface IdleCheck {
  readonly name: string;
  readonly check: () => Promise<IdleState>;
  /**
   * The next instant of business time for which the component has scheduled work; null if there is
   * none.
   */
  readonly next?: () => Promise<Instant | null>;
}

/**
 * Whether this process has done all due work. Each component adds its own check; an app without
 * checks counts as having done all work.
 */
@Injectable()
export class IdleChecks implements OnModuleDestroy {
  private readonly checks: IdleCheck[] = [];
  private stopping = false;

  add(check: IdleCheck): void {
    this.checks.push(check);
  }

  /**
   * Waits until two successive checks find no pending work in any component and no work done in
   * between. One check is not enough, because work that passes from one component to another is in
   * neither of them for a moment. Returns the pending work after `timeoutMs` of wall time, or when
   * the process stops; null if everything is done.
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

  /** The earliest instant for which a component has scheduled work; null if there is none. */
  async next(): Promise<Instant | null> {
    const instants = await Promise.all(this.checks.map(({ next }) => next?.() ?? null));
    return instants.filter((at) => at !== null).toSorted()[0] ?? null;
  }

  /**
   * From now on the process reports that it is stopping, so that a client that waits for the
   * process's work retries after the restart.
   */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /**
   * Checks the components one after another until one of them has pending work, because some checks
   * are expensive.
   */
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
