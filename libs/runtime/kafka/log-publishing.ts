import {
  blockedKey,
  type EventRef,
  isNewer,
  type LogCursor,
  type LogEntry,
  type LogReader,
  type NewerEvent,
  type RecordedEvent,
} from '#log';
import { encodeCloudEvent, type OutgoingMessage } from './cloud-event.js';
import type { HeldLease } from './lease.js';
import type { Publisher } from './publisher.js';
import type { FencedCursor } from './relay-cursor.js';
import { sendable } from './send-size.js';
import type { TopicSettings } from './topics.js';

const BATCH_EVENTS = 500;

interface Batch {
  readonly messages: readonly OutgoingMessage[];
  /** The streams that become blocked in this batch, each with its first unknown event. */
  readonly newly: readonly NewerEvent[];
  /** The position after which the batch begins. */
  readonly start: LogCursor;
  readonly end: LogCursor;
  readonly full: boolean;
}

/** The part of a lease that publishing needs. */
type Lease = Pick<HeldLease, 'token' | 'requireHeld'>;

export interface LogPublishingParts {
  readonly reader: Pick<LogReader, 'knows' | 'readAfter' | 'readStreamFrom'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly cursor: Pick<FencedCursor, 'takeOver' | 'position' | 'move' | 'blocked' | 'release'>;
  readonly topics: Pick<TopicSettings, 'prefix'>;
  /** Called with acknowledged messages, and the Unix time at which they were sent. */
  readonly onPublished: (messages: readonly OutgoingMessage[], sentMs: number) => void;
  readonly onHeldBack: (event: EventRef) => void;
}

/**
 * Publishes the event log in batches, one after another. The cursor moves after a batch was
 * acknowledged, and only if this process still holds the lease. So a topic may contain repeated
 * messages, but the first occurrences of messages are in the order of the log. An event that only a
 * newer release can read blocks its stream from this event on; other streams continue. A process of
 * the newer release publishes the blocked events when it acquires the lease.
 */
export class LogPublishing {
  /**
   * The batch that was not acknowledged yet. It is published again unchanged until it is
   * acknowledged; until then no newer message is published.
   */
  private batch: Batch | null = null;
  private readonly held = new Map<string, EventRef>();
  /**
   * The events that block a stream although this release can read them: a process of an older
   * release has blocked these streams.
   */
  private readable: EventRef[] = [];

  constructor(private readonly parts: LogPublishingParts) {}

  /** Must be called after each acquisition of the lease, before the first `round`. */
  async begin(lease: Lease): Promise<void> {
    this.batch = null;
    const { cursor, reader } = this.parts;
    await cursor.takeOver(lease.token);
    const blocked = await cursor.blocked();
    this.held.clear();
    for (const one of blocked) this.held.set(blockedKey(one), one);
    this.readable = blocked.filter((one) => reader.knows(one));
  }

  /** `end`: all events that this release can read have been published. */
  async round(lease: Lease): Promise<'more' | 'end' | 'idle'> {
    const [first] = this.readable;
    if (first !== undefined) {
      await this.catchUp(first, lease);
      this.readable.shift();
      return 'more';
    }
    const batch = (this.batch ??= await this.read(await this.parts.cursor.position()));
    if (batch === null) return 'idle';
    // Streams are added to `held` here and not when the batch is read: a batch that was read ahead
    // is dropped if the batch before it is not published, and the repeated read must find the same
    // newly blocked streams.
    for (const one of batch.newly) this.held.set(blockedKey(one), one);
    // The next batch is read while the current batch is published; if that read fails, the current
    // batch is published nevertheless.
    const [published, ahead] = await Promise.allSettled([
      this.publish(batch, lease),
      batch.full ? this.read(batch.end) : null,
    ]);
    if (published.status === 'rejected') throw published.reason;
    this.batch = ahead.status === 'fulfilled' ? ahead.value : null;
    if (ahead.status === 'rejected') throw ahead.reason;
    // If the batch reached the end of the log, there is nothing more to read until a commit sends a
    // notification.
    return batch.full ? 'more' : 'end';
  }

  private async publish({ messages, newly, start, end }: Batch, lease: Lease): Promise<void> {
    await this.send(messages, lease);
    await this.parts.cursor.move(lease.token, start, end, newly);
    for (const one of newly) this.parts.onHeldBack(one);
  }

  private async send(messages: readonly OutgoingMessage[], lease: Lease): Promise<void> {
    lease.requireHeld();
    if (messages.length === 0) return;
    const sentMs = Date.now();
    await this.parts.publisher.publish(messages);
    this.parts.onPublished(messages, sentMs);
  }

  /**
   * Publishes the events of a blocked stream up to the cursor; events after the cursor are
   * published together with those of other streams.
   */
  private async catchUp(stream: EventRef, lease: Lease): Promise<void> {
    const { reader, cursor } = this.parts;
    const position = await cursor.position();
    const entries = await reader.readStreamFrom(stream, stream.version, position);
    const next = entries.find(isNewer) ?? null;
    const known = entries.filter(
      (entry): entry is RecordedEvent =>
        !isNewer(entry) && (next === null || entry.version < next.version),
    );
    for (let left = known.map((event) => this.encode(event)); left.length > 0;) {
      const part = sendable(left);
      await this.send(part, lease);
      left = left.slice(part.length);
    }
    await cursor.release(lease.token, stream, next);
    if (next === null) this.held.delete(blockedKey(stream));
    else this.held.set(blockedKey(stream), next);
  }

  private async read(after: LogCursor): Promise<Batch | null> {
    const entries = await this.parts.reader.readAfter(after, BATCH_EVENTS);
    const { events, newly } = this.sorted(entries);
    const messages = sendable(events.map((event) => this.encode(event)));
    const cut = events[messages.length];
    const taken = cut === undefined ? entries : entries.slice(0, entries.indexOf(cut));
    const end = taken.at(-1)?.cursor;
    if (end === undefined) return null;
    const begun = newly.filter((one) => taken.includes(one));
    const full = entries.length === BATCH_EVENTS || cut !== undefined;
    return { messages, newly: begun, start: after, end, full };
  }

  /** Divides events into those to publish and those that block their stream. */
  private sorted(entries: readonly LogEntry[]): {
    readonly events: readonly RecordedEvent[];
    readonly newly: readonly NewerEvent[];
  } {
    const newly = new Map<string, NewerEvent>();
    const events: RecordedEvent[] = [];
    for (const entry of entries) {
      const key = blockedKey(entry);
      if (this.held.has(key) || newly.has(key)) continue;
      if (isNewer(entry)) newly.set(key, entry);
      else events.push(entry);
    }
    return { events, newly: [...newly.values()] };
  }

  private encode(event: RecordedEvent): OutgoingMessage {
    return encodeCloudEvent(event, this.parts.topics);
  }
}
