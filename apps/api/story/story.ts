import { Injectable } from '@nestjs/common';
import { EventStore, type LogCursor, type RecordedEvent, type StreamRef } from '#log';
import type { Caller } from '../auth/key-verifier.js';
import { Tenancy } from '../shared/tenancy.js';
import { LogTail } from './log-tail.js';
import { isAfter } from './story-entry.js';

/** A subscriber that reads slower than this many events behind is cut off, and may resume. */
const MAX_WAITING = 1_000;
export const HEARTBEAT_MS = 15_000;

/** What a subscriber gets next; null: nothing happened for a while, the line is still there. */
export type Told = RecordedEvent | null;

/** What one subscriber reads; `stop` ends it at once, also while it waits. */
export interface Following {
  readonly told: AsyncGenerator<Told, void, undefined>;
  readonly stop: () => void;
}

/** Whose story it is; all of its events carry this id as their correlation. */
export interface Subject {
  readonly type: 'order' | 'merchant';
  readonly id: string;
}

/** All that happens for an order, in its own stream and its payments', or for a merchant. */
@Injectable()
export class Story {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly tail: LogTail,
  ) {}

  /** So far, in the order of the log. Throws `Rejection` when the subject is not the caller's. */
  async soFar(caller: Caller, subject: Subject): Promise<readonly RecordedEvent[]> {
    return this.store.readStreams(await this.streamsOf(caller, subject));
  }

  /**
   * From the beginning, or from after `since`, and then as it happens, each event once and in the
   * order of the log. Ends when the process stops or the subscriber falls too far behind. Rejects
   * before the first event when the subject is not the caller's.
   */
  async follow(caller: Caller, subject: Subject, since: LogCursor | null): Promise<Following> {
    const queue = new Queue();
    const subscription = await this.tail.follow(subject.id, queue);
    try {
      // Past the tail's place an event may be visible whose earlier neighbour is not yet: those
      // come from the tail, in order.
      const history = (await this.soFar(caller, subject))
        .filter(({ cursor }) => !isAfter(cursor, subscription.from))
        .filter(({ cursor }) => since === null || isAfter(cursor, since));
      const stop = (): void => {
        subscription.close();
        queue.end();
      };
      return { told: tellAll(history, queue, since, stop), stop };
    } catch (error) {
      subscription.close();
      throw error;
    }
  }

  private async streamsOf(caller: Caller, { type, id }: Subject): Promise<readonly StreamRef[]> {
    if (type === 'merchant') {
      await this.tenancy.merchant(caller, id);
      return [{ streamType: 'merchant', streamId: id }];
    }
    const { payments } = await this.tenancy.order(caller, id);
    return [
      { streamType: 'order', streamId: id },
      ...payments.map((streamId) => ({ streamType: 'payment' as const, streamId })),
    ];
  }
}

async function* tellAll(
  history: readonly RecordedEvent[],
  queue: Queue,
  since: LogCursor | null,
  close: () => void,
): AsyncGenerator<Told, void, undefined> {
  try {
    yield* history;
    for (;;) {
      const event = await queue.next(HEARTBEAT_MS);
      if (event === 'ended') return;
      if (event !== null && since !== null && !isAfter(event.cursor, since)) continue;
      yield event;
    }
  } finally {
    close();
  }
}

/** Between the tail, which waits for nobody, and one subscriber. */
class Queue {
  private readonly waiting: RecordedEvent[] = [];
  private ended = false;
  private wake: () => void = () => {};

  readonly take = (event: RecordedEvent): void => {
    if (this.waiting.length >= MAX_WAITING) this.ended = true;
    else this.waiting.push(event);
    this.wake();
  };

  readonly end = (): void => {
    this.ended = true;
    this.wake();
  };

  /** The next event; null when there is none for `timeoutMs`. */
  async next(timeoutMs: number): Promise<RecordedEvent | null | 'ended'> {
    if (this.waiting.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.waiting.shift() ?? (this.ended ? 'ended' : null);
  }
}
