import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';

const LOOK_EVERY_MS = 15;

/** What one look at a part of the process shows. */
export interface IdleLook {
  /** What it still has to do by now, for a person to read; null when nothing. */
  readonly busy: string | null;
  /** Changes whenever the part has done anything: two looks alike mean that nothing moved. */
  readonly mark: string;
}

export interface IdleCheck {
  readonly name: string;
  readonly look: () => Promise<IdleLook>;
  /** The next instant of business time at which it will have something to do, if it knows one. */
  readonly next?: () => Promise<Instant | null>;
}

interface WholeLook {
  readonly busy: readonly string[];
  readonly mark: string;
}

/**
 * Whether this process has done all that is due. Each part adds its own check; an app with none is
 * always idle.
 */
@Injectable()
export class IdleChecks {
  private readonly checks: IdleCheck[] = [];

  add(check: IdleCheck): void {
    this.checks.push(check);
  }

  /**
   * Waits until every part is idle and has been seen twice without anything having moved between:
   * work that was just handed from one part to the next is in neither for a moment. Answers what is
   * still busy after `timeoutMs` of wall time; empty when idle.
   */
  async untilIdle(timeoutMs: number): Promise<readonly string[]> {
    const deadlineMs = performance.now() + timeoutMs;
    let before: WholeLook | null = null;
    for (;;) {
      const seen: WholeLook = await this.look();
      const isIdle = seen.busy.length === 0;
      if (isIdle && (this.checks.length === 0 || before?.mark === seen.mark)) return [];
      if (performance.now() >= deadlineMs) return isIdle ? ['still moving'] : seen.busy;
      before = isIdle ? seen : null;
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** The earliest instant at which any part will have something to do; null when none knows one. */
  async next(): Promise<Instant | null> {
    const instants = await Promise.all(this.checks.map(({ next }) => next?.() ?? null));
    return instants.filter((at) => at !== null).toSorted()[0] ?? null;
  }

  private async look(): Promise<WholeLook> {
    const looks = await Promise.all(this.checks.map(({ look }) => look()));
    const busy = looks.flatMap((one, index) =>
      one.busy === null ? [] : [`${this.checks[index]?.name ?? ''}: ${one.busy}`]);
    return { busy, mark: JSON.stringify(looks.map(({ mark }) => mark)) };
  }
}
