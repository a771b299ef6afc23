import type { EventMetadata, EventStore, StreamRef, Upcaster } from '#event-store';
import { assert } from '#kernel';
import type { Logger } from '#platform';
import type { EventMessage } from './cloud-event.js';
import type { MessagingMetrics } from './messaging-metrics.js';
import type { Subscription } from './subscription.js';

const LOG_CHUNK_EVENTS = 200;

export interface StreamStepsOptions {
  readonly store: EventStore;
  readonly subscription: Subscription;
  /** By event type, as the aggregates have them: a topic also holds what older releases wrote. */
  readonly upcasters: Readonly<Record<string, readonly Upcaster[]>>;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
  /** Runs after each step that was committed. */
  readonly onSuccess: () => void;
}

/** One stream while it is being taken: what is committed, and how far it has been looked at. */
export interface Progress {
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

/** Takes the events of one stream after another, each with its receipt in one step. */
export class StreamSteps {
  private readonly labels: { readonly consumer: string };

  constructor(private readonly options: StreamStepsOptions) {
    this.labels = { consumer: options.subscription.name };
  }

  /** Takes these messages of the stream, and from the log what is missing between them. */
  async takeAll(
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

  /** Takes all that the log has of the stream. */
  async takeLog(progress: Progress, signal: AbortSignal): Promise<void> {
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
      this.options.onSuccess();
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
}
