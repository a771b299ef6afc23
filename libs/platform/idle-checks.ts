import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Instant } from '#kernel';

/**
 * The first and the longest pause between two checks in milliseconds of wall time, and the factor
 * by which the pause grows while there is pending work: each check reads the database.
 */
const FIRST_MS = 15;
const LONGEST_MS = 100;
const GROWTH = 1.5;

/** Whether one component of the process has work to do. */
export interface IdleState {
  /** The pending work of the component, as a text for operators; null if there is none. */
  readonly busy: string | null;
  /**
   * A value that changes with each piece of work that the component does. If two checks return the
   * same value, the component has done nothing in between.
   */
  readonly mark: string;
  /** The next instant of business time for which the component has scheduled work, if any. */
  readonly next?: Instant | null;
}

export interface IdleCheck {
  readonly name: string;
  readonly check: () => Promise<IdleState>;
}

/** The JSON of the `mark` values of a process in which no component has registered a check. */
const NO_MARKS = '[]';

/**
 * Whether this process has done all due work. Each component adds its own check; an app without
 * checks counts as having done all work.
 */
@Injectable()
export class IdleChecks implements OnModuleDestroy {
  private readonly checks: IdleCheck[] = [];
  private stopping = false;
  /**
   * The `mark` values of the last check at which the process was idle. Unchanged values mean that
   * no work was done since.
   */
  private idleMark = NO_MARKS;

  add(check: IdleCheck): void {
    this.checks.push(check);
  }

  /**
   * Waits until the process is idle: a check finds no pending work in any component, and no work
   * was done since the previous check or since the process was last idle. One check is not enough,
   * because work that passes from one component to another is for a moment in neither of them.
   * Returns the earliest instant for which a component has scheduled work. Returns the pending work
   * instead after `timeoutMs` of wall time or when the process stops.
   */
  async untilIdle(
    timeoutMs: number,
  ): Promise<{ readonly busy: string } | { readonly next: Instant | null }> {
    const deadlineMs = performance.now() + timeoutMs;
    let before: string | null = this.idleMark;
    let pauseMs = FIRST_MS;
    for (;;) {
      if (this.stopping) return { busy: 'the process is stopping' };
      const { busy, mark, next = null }: IdleState = await this.check();
      if (busy === null && mark === before) {
        this.idleMark = mark;
        return { next };
      }
      if (performance.now() >= deadlineMs) return { busy: busy ?? 'still moving' };
      before = busy === null ? mark : null;
      await sleep(busy === null ? FIRST_MS : pauseMs);
      pauseMs = Math.min(pauseMs * GROWTH, LONGEST_MS);
    }
  }

  /**
   * From now on the process reports that it is stopping. A client that waits for the end of the
   * process's work then retries after the restart.
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
    const nexts: Instant[] = [];
    for (const { name, check } of this.checks) {
      const { busy, mark, next = null } = await check();
      if (busy !== null) return { busy: `${name}: ${busy}`, mark };
      marks.push(mark);
      if (next !== null) nexts.push(next);
    }
    return { busy: null, mark: JSON.stringify(marks), next: nexts.toSorted()[0] ?? null };
  }
}
