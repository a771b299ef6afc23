import { Inject, Injectable } from '@nestjs/common';
import { fold } from '#kernel';
import {
  domainEvent,
  EventStore,
  isAfter,
  type LogCursor,
  LogTail,
  type RecordedEvent,
  type StreamRef,
} from '#log';
import { type Order, orderAggregate, type OrderEvent } from '#order';
import { type Logger, LOGGER } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { problem } from '../shared/error-codes.js';
import { Tenancy } from '../shared/tenancy.js';
import { EventQueue } from './event-queue.js';

export const HEARTBEAT_MS = 15_000;
/** The maximum number of events of an order or a merchant that are read, all of them at once. */
const MAX_EVENTS = 5_000;

/** A position of the log between events, after which a subscriber can resume. */
export interface StreamPosition {
  readonly after: LogCursor;
}

/**
 * The events of one subscriber, null after some time without an event; `stop` ends the generator
 * immediately, even while it waits for an event.
 */
export interface Following<T = RecordedEvent> {
  readonly events: AsyncGenerator<T | null, void, undefined>;
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
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The events so far, in log order. Throws `Rejection` when the order or merchant is not the
   * caller's, and `Problem` 409 when it has too many events.
   */
  async soFar(caller: Caller, { type, id }: Subject): Promise<readonly RecordedEvent[]> {
    if (type === 'order') return this.ofOrder(caller, id);
    await this.tenancy.merchant(caller, id);
    return mustFit(await this.firstOf([{ streamType: 'merchant', streamId: id }]));
  }

  /**
   * Returns the past events, only those after the event `lastEventId` if it is one of them, and then
   * new events as they occur; each event once and in log order. Ends when the process stops or the
   * subscriber lags too far behind. Rejects before the first event when the order or merchant is not
   * the caller's.
   */
  async follow(caller: Caller, subject: Subject, lastEventId: string | null): Promise<Following> {
    const queue = new EventQueue(subject.id, this.logger);
    const subscription = await this.tail.follow(queue);
    try {
      // The history contains only events up to the tail's position. The tail delivers later events
      // in log order, whereas a query may see them out of order.
      const soFar = await this.soFar(caller, subject);
      // An unknown id: the event was lost by a restore, or the id is of an earlier release.
      const since = soFar.find(({ eventId }) => eventId === lastEventId)?.cursor ?? null;
      const history = soFar
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

  /**
   * One statement reads the events of the order and of its payments. The ids of the payments are
   * from this process's cache; if the order has further payments by now, everything is read again.
   */
  private async ofOrder(caller: Caller, id: string): Promise<readonly RecordedEvent[]> {
    const order: StreamRef = { streamType: 'order', streamId: id };
    let payments = paymentsOf(this.store.cached(orderAggregate, id)?.state);
    for (;;) {
      const streams = payments.map((streamId): StreamRef => ({ streamType: 'payment', streamId }));
      const events = await this.firstOf([order, ...streams]);
      const own = events.filter(({ streamType }) => streamType === 'order');
      const state = fold(orderAggregate.decider, own.map(domainEvent<OrderEvent>));
      const started = this.tenancy.ownOrder(caller, state).payments;
      if (started.length === payments.length) return mustFit(events);
      payments = started;
    }
  }

  /** The first events of the streams: as many as are returned, and one more. */
  private firstOf(streams: readonly StreamRef[]): Promise<readonly RecordedEvent[]> {
    return this.store.readStreams(streams, MAX_EVENTS + 1);
  }
}

const mustFit = (events: readonly RecordedEvent[]): readonly RecordedEvent[] => {
  if (events.length > MAX_EVENTS) throw problem('timeline_too_long');
  return events;
};

const paymentsOf = (order: Order | undefined): readonly string[] =>
  order === undefined || order.status === 'not_placed' ? [] : order.payments;

async function* historyThenQueue(
  history: readonly RecordedEvent[],
  queue: EventQueue,
  since: LogCursor | null,
  close: () => void,
): Following['events'] {
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
