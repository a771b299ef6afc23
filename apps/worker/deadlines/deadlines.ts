import { Injectable } from '@nestjs/common';
import { assert } from '#kernel';
import { errorKind, StepSuperseded } from '#event-store';
import type { Logger } from '#platform';
import type { DeadlineHandler, DueDeadline } from './deadline.js';
import type { DeadlineQueue } from './deadline-queue.js';

const AFTER_FAILURE_MS = 5_000;
/** Many may wait for a process of a newer release: they must not keep the others from their turn. */
const FOR_NEWER_RELEASE_MS = 60_000;

/** `checkout.*` as SQL's LIKE writes it. */
const likePattern = (kind: string): string =>
  kind.replaceAll(/[\\%_]/g, String.raw`\$&`).replace(/\.\*$/, '.%');

const takes = (pattern: string, kind: string): boolean =>
  pattern.endsWith('.*') ? kind.startsWith(pattern.slice(0, -1)) : pattern === kind;

/** Who carries out which deadlines. Handlers register themselves before the worker begins. */
@Injectable()
export class Deadlines {
  private readonly handlers: DeadlineHandler[] = [];

  register(handler: DeadlineHandler): void {
    this.handlers.push(handler);
  }

  /** The kinds that somebody here carries out, as SQL patterns: no others are claimed. */
  patterns(): readonly string[] {
    return this.handlers.flatMap(({ kinds }) => kinds.map(likePattern));
  }

  /** As `handle`; what could not be carried out is put back, and tried again. */
  async carryOut(
    deadline: DueDeadline, queue: Pick<DeadlineQueue, 'putBack'>, logger: Logger,
  ): Promise<void> {
    try {
      await this.handle(deadline);
    } catch (err) {
      const { kind, key } = deadline;
      logger.error({ err, kind, key }, 'a deadline could not be carried out');
      const isNewer = errorKind(err) === 'newer';
      await queue.putBack(deadline, isNewer ? FOR_NEWER_RELEASE_MS : AFTER_FAILURE_MS);
    }
  }

  /** Throws what the handler throws, unless the work had been done by somebody else. */
  async handle(deadline: DueDeadline): Promise<void> {
    const handler = this.handlers.find(({ kinds }) =>
      kinds.some((pattern) => takes(pattern, deadline.kind)));
    assert(handler, `somebody carries out '${deadline.kind}'`);
    try {
      await handler.handle(deadline);
    } catch (error) {
      // Set anew, taken away or carried out meanwhile: whichever it was, this one is no more.
      if (!(error instanceof StepSuperseded)) throw error;
    }
  }
}
