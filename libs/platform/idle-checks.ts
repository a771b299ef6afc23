import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
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

/**
 * Whether this process has done all that is due. Each part adds its own check; an app with none is
 * always idle.
 */
@Injectable()
export class IdleChecks implements OnModuleDestroy {
  private readonly checks: IdleCheck[] = [];
  private stopping = false;

  add(check: IdleCheck): void {
    this.checks.push(check);
  }

  /**
   * Waits until every part is idle and has been seen twice without anything having moved between:
   * work that was just handed from one part to the next is in neither for a moment. Answers what is
   * still busy after `timeoutMs` of wall time, or when the process stops; null when idle.
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

  /** The earliest instant at which any part will have something to do; null when none knows one. */
  async next(): Promise<Instant | null> {
    const instants = await Promise.all(this.checks.map(({ next }) => next?.() ?? null));
    return instants.filter((at) => at !== null).toSorted()[0] ?? null;
  }

  /** A client that waits for this process retries when it is back. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** One after another, and no further than the first that is busy: some looks are dear. */
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
