import { Injectable } from '@nestjs/common';
import { EventStore, isAfter, type LogCursor, type RecordedEvent, type StreamRef } from '#log';
import type { Caller } from '../auth/key-verifier.js';
import { Tenancy } from '../shared/tenancy.js';
import { LogTail } from './log-tail.js';

/**
 * The maximum number of events waiting for a subscriber. A subscriber that lags further behind is
 * disconnected, and may resume.
 */
const MAX_WAITING = 1_000;
export const HEARTBEAT_MS = 15_000;

/** A position of the log after which a subscriber can resume. */
export interface StreamPosition {
  readonly after: LogCursor;
}

/**
 * The next event of a subscriber. Null or a position: a heartbeat, because no event occurred for
 * some time.
 */
export type StreamedEvent = RecordedEvent | StreamPosition | null;

/**
 * The events of one subscriber; `stop` ends the generator immediately, even while it waits for an
 * event.
 */
export interface Following {
  readonly events: AsyncGenerator<StreamedEvent, void, undefined>;
  readonly stop: () => void;
}

/** The order or merchant; all of its events have this id as their correlation id. */
export interface Subject {
  readonly type: 'order' | 'merchant';
  readonly id: string;
}

/** Reads and follows the events of an order, including those of its payments, or of a merchant. */
@Injectable()
export class Story {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
    private readonly tail: LogTail,
  ) {}

  /**
   * The events so far, in log order. Throws `Rejection` when the order or merchant is not the
   * caller's.
   */
  async soFar(caller: Caller, subject: Subject): Promise<readonly RecordedEvent[]> {
    return this.store.readStreams(await this.streamsOf(caller, subject));
  }

  /**
   * Returns the past events, only those after `since` if given, and then new events as they occur;
   * each event once and in log order. Ends when the process stops or the subscriber lags too far
   * behind. Rejects before the first event when the order or merchant is not the caller's.
   */
  async follow(caller: Caller, subject: Subject, since: LogCursor | null): Promise<Following> {
    const queue = new Queue();
    const subscription = await this.tail.follow(subject.id, queue);
    try {
      // The history contains only events up to the tail's position. The tail delivers later events
      // in log order, whereas a query may see them out of order.
      const history = (await this.soFar(caller, subject))
        .filter(({ cursor }) => !isAfter(cursor, subscription.from))
        .filter(({ cursor }) => since === null || isAfter(cursor, since));
      const stop = (): void => {
        subscription.close();
        queue.end();
      };
      return { events: historyThenQueue(history, queue, since, stop), stop };
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

async function* historyThenQueue(
  history: readonly RecordedEvent[],
  queue: Queue,
  since: LogCursor | null,
  close: () => void,
): AsyncGenerator<StreamedEvent, void, undefined> {
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

/** The queue between the log tail, which never waits, and one subscriber. */
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

  /** Returns the next event; null when none arrives within `timeoutMs`. */
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
