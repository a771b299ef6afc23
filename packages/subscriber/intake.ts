import type { BackoffRange } from './backoff.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import type { Counts } from './counts.js';
import type { Messages } from './divergence.js';
import { type ReceivedEvent, streamKey, streamOf, type StreamRef } from './envelope.js';
import type { Feed } from './feed.js';
import { type Handlers, handlerOf } from './handlers.js';
import type { Logger } from './logger.js';
import { Patience, TRANSIENT_WAIT } from './patience.js';
import { mayContinue, RETRY_WAIT, type Run, StreamWork } from './stream-work.js';
import type { Store, StreamState } from './store.js';
import { TrustedEvents, UnreadMessage } from './trusted-events.js';

/**
 * The maximum number of streams that are handled concurrently; each needs a connection of the pool.
 */
const MAX_STREAMS_AT_ONCE = 8;
const NEW_STREAM: StreamState = { version: 0, eventId: null, block: null };

export interface IntakeOptions<Tx> {
  readonly store: Store<Tx>;
  readonly handlers: Handlers<Tx>;
  /** The feed that confirms events; null if messages are trusted. */
  readonly feed: Feed | null;
  readonly counts: Counts;
  readonly logger: Logger;
  /** The backoffs between attempts to handle an event, and during outages of infrastructure. */
  readonly waits?: { readonly retry: BackoffRange; readonly transient: BackoffRange };
}

type OfOneStream = [ReceivedEvent, ...ReceivedEvent[]];

const byStream = (events: readonly ReceivedEvent[]): Map<string, OfOneStream> => {
  const streams = new Map<string, OfOneStream>();
  for (const event of events) {
    const key = streamKey(streamOf(event));
    const known = streams.get(key);
    if (known) known.push(event);
    else streams.set(key, [event]);
  }
  return streams;
};

/**
 * Waits until all tasks have ended, and only then throws the first error, so that no task continues
 * after the throw.
 */
const allOf = async (works: readonly Promise<void>[]): Promise<void> => {
  for (const result of await Promise.allSettled(works)) {
    if (result.status === 'rejected') throw result.reason;
  }
};

/**
 * Handles messages, from Kafka or elsewhere. Events of one stream are handled in order, different
 * streams concurrently, and the effect of each event is committed exactly once.
 */
export class Intake<Tx> {
  readonly work: StreamWork<Tx>;
  readonly patience: Patience;
  readonly trusted: TrustedEvents;
  private readonly limit = new ConcurrencyLimit(MAX_STREAMS_AT_ONCE);

  constructor(private readonly options: IntakeOptions<Tx>) {
    const { store, logger, waits = { retry: RETRY_WAIT, transient: TRANSIENT_WAIT } } = options;
    this.patience = new Patience(store, logger, waits.transient);
    this.trusted = new TrustedEvents({ ...options, patience: this.patience });
    this.work = new StreamWork({
      ...options,
      patience: this.patience,
      trusted: this.trusted,
      retryWait: waits.retry,
    });
  }

  /** Handles events. Rejects only if the signal aborts, or if the store is used incorrectly. */
  async take(events: readonly ReceivedEvent[], signal: AbortSignal): Promise<void> {
    if (events.length === 0) return;
    const { store } = this.options;
    const streams = byStream(events);
    const refs = [...streams.values()].map(([first]) => streamOf(first));
    const states = await this.patience.untilItWorks(() => store.read(refs), signal);
    await allOf(
      [...streams].map(([key, own]) =>
        this.limit.run(() => this.takeStream(states.get(key) ?? NEW_STREAM, own, signal)),
      ),
    );
  }

  private async takeStream(
    known: StreamState,
    events: Messages,
    signal: AbortSignal,
  ): Promise<void> {
    const stream = streamOf(events[0]);
    // Without a feed, the messages are the log. With a feed, they may be forged, and what is stored
    // is compared with the log before it is handled.
    if (known.block !== null && this.options.feed === null) {
      await this.work.deleteLost(events, signal);
    }
    let state = mayContinue(known) ? await this.resumed(stream, signal) : known;
    const diverged = await this.trusted.divergedAt(state, events, signal);
    if (diverged !== null) state = await this.work.diverge(state, diverged, signal);
    for await (const next of this.runs(this.trusted.of(state, events, signal))) {
      if (next instanceof UnreadMessage) await this.work.keepUnread(next, 'flowing', signal);
      else await this.work.take(next, signal);
    }
  }

  /** Tries the stored events of a blocked stream, and returns its state then. */
  private async resumed(stream: StreamRef, signal: AbortSignal): Promise<StreamState> {
    await this.work.drain(stream, signal);
    const states = await this.patience.untilItWorks(
      () => this.options.store.read([stream]),
      signal,
    );
    return states.get(streamKey(stream)) ?? NEW_STREAM;
  }

  /**
   * Groups consecutive events of a stream that are committed together: only the last event of a
   * group may have a handler, so events without a handler cost no separate transaction.
   */
  private async *runs(
    events: AsyncIterable<ReceivedEvent | UnreadMessage>,
  ): AsyncGenerator<Run | UnreadMessage> {
    let run: ReceivedEvent[] = [];
    const complete = (): Run[] => {
      const [first, ...rest] = run;
      run = [];
      return first ? [[first, ...rest]] : [];
    };
    for await (const event of events) {
      if (event instanceof UnreadMessage) {
        yield* complete();
        yield event;
        continue;
      }
      const last = run.at(-1);
      if (last && event.sequence !== last.sequence + 1) yield* complete();
      run.push(event);
      if (handlerOf(this.options.handlers, event.type)) yield* complete();
    }
    yield* complete();
  }
}
