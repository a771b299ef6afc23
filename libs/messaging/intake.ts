import type { Pool } from 'pg';
import type { EventMetadata, EventStore, StreamRef, Upcaster } from '#event-store';
import { assert } from '#kernel';
import type { Logger } from '#platform';
import type { EventMessage } from './cloud-event.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { errorKind } from './error-kind.js';
import { Inbox, streamKey } from './inbox.js';
import type { MessagingMetrics } from './messaging-metrics.js';
import { ParkedKeys } from './parked-keys.js';
import { Backoff } from './pause.js';
import type { Subscription } from './subscription.js';

/** Streams of one consumer that are worked on at a time: enough to fill a group commit. */
const MAX_STREAMS_AT_ONCE = 16;
/** How often a message that fails for a doubtful reason is tried before its stream is parked. */
const MAX_TRIES = 3;
const LOG_CHUNK_EVENTS = 200;
/** Other streams wait meanwhile, so it is short. */
const DOUBTFUL_WAIT_MS = { first: 20, widest: 100 };
const PASSING_WAIT_MS = { first: 50, widest: 5_000 };

export interface IntakeOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly subscription: Subscription;
  /** By event type, as the aggregates have them: a topic also holds what older releases wrote. */
  readonly upcasters: Readonly<Record<string, readonly Upcaster[]>>;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
}

/** `parked`: what is left waits in the log. `stopped`: the signal came first. */
export type IntakeOutcome = 'done' | 'parked' | 'stopped';

/** One stream while it is being taken: what is committed, and how far it has been looked at. */
interface Progress {
  readonly stream: StreamRef;
  /** The inbox's version. */
  taken: number;
  /** `taken`, or further where events that nobody handles followed: not committed yet. */
  seen: number;
  /** The message that is looked at, to be named if it must be parked. */
  current: EventMessage | null;
  /** How often it has failed in doubt. */
  tries: number;
}

type Source = (progress: Progress, signal: AbortSignal) => Promise<void>;

/**
 * What a consumer does with messages, wherever they come from: each event's effect is committed
 * exactly once, in the order of its stream. The inbox row of a stream is part of each step, so two
 * processes that get the same message cannot both commit. The topic only says that there is news;
 * the log is the source, and whatever the topic left out is read there.
 */
export class Intake {
  readonly parkedKeys: ParkedKeys;
  private readonly inbox: Inbox;
  private readonly limit = new ConcurrencyLimit(MAX_STREAMS_AT_ONCE);
  private failing = false;
  private readonly labels: { readonly consumer: string };

  constructor(private readonly options: IntakeOptions) {
    const { pool, subscription } = options;
    this.inbox = new Inbox(pool, subscription.name);
    this.parkedKeys = new ParkedKeys(pool);
    this.labels = { consumer: subscription.name };
  }

  /** Takes messages, each stream's in order and the streams side by side. */
  async take(messages: readonly EventMessage[], signal: AbortSignal): Promise<IntakeOutcome> {
    const byStream = new Map<string, EventMessage[]>();
    for (const message of messages) {
      const key = streamKey(message);
      const known = byStream.get(key);
      if (known) known.push(message);
      else byStream.set(key, [message]);
    }
    const heads = [...byStream.values()].flatMap(([head]) => head ?? []);
    const look = await this.untilItPasses(signal, async () => ({
      // In this order: what a release took before it let go is in the versions.
      parked: await this.inbox.parked(heads),
      versions: await this.inbox.versions(heads),
    }));
    if (look === null) return 'stopped';
    const outcomes = await Promise.all(
      [...byStream].map(([key, ofStream]) => {
        const [head] = ofStream;
        if (head === undefined || look.parked.has(key)) return 'done';
        const source: Source = (progress, stop) => this.takeAll(progress, ofStream, stop);
        return this.advance(head, look.versions.get(key) ?? 0, source, signal);
      }),
    );
    return outcomes.includes('stopped') ? 'stopped' : 'done';
  }

  /** Takes from the log all that the stream has and the inbox does not, also if it is parked. */
  async catchUp(stream: StreamRef, signal: AbortSignal): Promise<IntakeOutcome> {
    const version = await this.untilItPasses(signal, () => this.inbox.version(stream));
    if (version === null) return 'stopped';
    return this.advance(stream, version, (progress, stop) => this.takeLog(progress, stop), signal);
  }

  /** As `catchUp`, but leaves a parked stream alone. */
  async catchUpUnlessParked(stream: StreamRef, signal: AbortSignal): Promise<IntakeOutcome> {
    const parked = await this.untilItPasses(signal, () => this.inbox.parked([stream]));
    if (parked === null) return 'stopped';
    return parked.has(streamKey(stream)) ? 'done' : this.catchUp(stream, signal);
  }

  private advance(
    { streamType, streamId }: StreamRef, version: number, source: Source, signal: AbortSignal,
  ): Promise<IntakeOutcome> {
    const stream = { streamType, streamId };
    const progress: Progress = { stream, taken: version, seen: version, current: null, tries: 0 };
    return this.limit.run(() => this.drive(progress, source, signal));
  }

  /** Runs the source to its end, through conflicts and outages; parks what cannot be taken. */
  private async drive(
    progress: Progress, source: Source, signal: AbortSignal,
  ): Promise<IntakeOutcome> {
    const passing = new Backoff(PASSING_WAIT_MS.first, PASSING_WAIT_MS.widest);
    const doubtful = new Backoff(DOUBTFUL_WAIT_MS.first, DOUBTFUL_WAIT_MS.widest);
    while (!signal.aborted) {
      try {
        await source(progress, signal);
        return signal.aborted ? 'stopped' : 'done';
      } catch (error) {
        const next = await this.untilItPasses(signal, () => this.judge(progress, error));
        if (next === 'parked') return next;
        if (next === 'later') await passing.wait(signal);
        if (next === 'soon') await doubtful.wait(signal);
      }
    }
    return 'stopped';
  }

  /** What to do after a failed step; begins by looking at what has really been committed. */
  private async judge(
    progress: Progress, error: unknown,
  ): Promise<'now' | 'soon' | 'later' | 'parked'> {
    const version = await this.inbox.version(progress.stream);
    const moved = version > progress.taken;
    progress.taken = version;
    progress.seen = version;
    if (moved) {
      // Another process was faster, or our step was committed and its answer lost.
      progress.tries = 0;
      return 'now';
    }
    const kind = errorKind(error);
    const { logger } = this.options;
    if (kind === 'passing') {
      this.outage(error);
      return 'later';
    }
    progress.tries += kind === 'final' ? MAX_TRIES : 1;
    if (progress.tries < MAX_TRIES) return 'soon';
    assert(progress.current !== null, 'a step fails at a message');
    const { streamId, type, version: failedAt } = progress.current;
    await this.parkedKeys.park(this.labels.consumer, progress.current, version, error);
    this.options.metrics.parked.inc(this.labels);
    logger.error({ err: error, ...this.labels, streamId, type, version: failedAt }, 'key parked');
    return 'parked';
  }

  private async takeAll(
    progress: Progress, messages: readonly EventMessage[], signal: AbortSignal,
  ): Promise<void> {
    for (const message of messages) {
      progress.current = message;
      if (message.version > progress.seen + 1) this.alarm(progress, message);
      while (message.version > progress.seen + 1) {
        if (signal.aborted) return;
        const missing = message.version - progress.seen - 1;
        const events = await this.readLog(progress, missing);
        assert(events[0]?.version === progress.seen + 1, 'the log has what the topic left out');
        for (const event of events) await this.takeOne(progress, event);
      }
      if (signal.aborted) return;
      await this.takeOne(progress, message);
    }
    await this.passOver(progress);
  }

  private async takeLog(progress: Progress, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const events = await this.readLog(progress, LOG_CHUNK_EVENTS);
      if (events.length === 0) return;
      for (const event of events) {
        if (signal.aborted) return;
        await this.takeOne(progress, event);
      }
      await this.passOver(progress);
    }
  }

  private readLog({ stream, seen }: Progress, limit: number): Promise<readonly EventMessage[]> {
    return this.options.store.readStream(stream, seen, Math.min(limit, LOG_CHUNK_EVENTS));
  }

  private async takeOne(progress: Progress, message: EventMessage): Promise<void> {
    const { store, subscription, metrics } = this.options;
    if (message.version <= progress.seen) return;
    progress.current = message;
    if (subscription.handles.has(message.type)) {
      const event = this.upcast(message);
      await store.step(this.metadataOf(message), async (step) => {
        step.received(this.receipt(progress, message.version));
        await subscription.handle(event, step);
      });
      progress.taken = message.version;
      progress.tries = 0;
      this.passed();
    }
    progress.seen = message.version;
    metrics.consumed.inc(this.labels);
  }

  /** One receipt for the run of events at the end that nobody handles. */
  private async passOver(progress: Progress): Promise<void> {
    const { current, seen, taken } = progress;
    if (seen === taken || current === null) return;
    await this.options.store.step(this.metadataOf(current), (step) =>
      step.received(this.receipt(progress, seen)));
    progress.taken = seen;
  }

  private receipt({ stream, taken }: Progress, version: number) {
    return { ...this.labels, ...stream, previous: taken, version };
  }

  private metadataOf({ metadata, eventId }: EventMessage): EventMetadata {
    const { correlationId, traceparent } = metadata;
    const { actor } = this.options.subscription;
    return { correlationId, causationId: eventId, actor, traceparent };
  }

  private upcast(message: EventMessage): EventMessage {
    const { type, schemaVersion, data } = message;
    const lifts = this.options.upcasters[type] ?? [];
    const current = 1 + lifts.length;
    assert(schemaVersion <= current, `${type} was written by an older or this release`);
    if (schemaVersion === current) return message;
    const lifted = lifts.slice(schemaVersion - 1).reduce((old, lift) => lift(old), data);
    return { ...message, schemaVersion: current, data: lifted };
  }

  private alarm({ stream, seen }: Progress, message: EventMessage): void {
    this.options.metrics.gaps.inc(this.labels);
    const fields = { ...this.labels, ...stream, seen, came: message.version };
    this.options.logger.warn(fields, 'the topic left events out; they are read from the log');
  }

  /** Tries until it works; `null` when the signal comes first. */
  private async untilItPasses<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    const backoff = new Backoff(PASSING_WAIT_MS.first, PASSING_WAIT_MS.widest);
    while (!signal.aborted) {
      try {
        const result = await work();
        this.passed();
        return result;
      } catch (error) {
        this.outage(error);
        await backoff.wait(signal);
      }
    }
    return null;
  }

  /** One line when an outage begins and one when it is over. */
  private outage(error: unknown): void {
    if (!this.failing) {
      this.options.logger.error({ err: error, ...this.labels }, 'steps fail and are tried again');
    }
    this.failing = true;
  }

  private passed(): void {
    if (this.failing) this.options.logger.info(this.labels, 'steps work again');
    this.failing = false;
  }
}
