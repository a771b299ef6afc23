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
import { assert } from '#kernel';
import { encodeCloudEvent, type OutgoingMessage } from './cloud-event.js';
import type { HeldLease } from './lease.js';
import type { Publisher } from './publisher.js';
import type { FencedCursor } from './relay-cursor.js';
import { sendable } from './send-size.js';
import type { TopicSettings } from './topics.js';

const BATCH_EVENTS = 500;

interface Batch {
  readonly messages: readonly OutgoingMessage[];
  /** Streams that become blocked, each with the event from which on it is blocked. */
  readonly newly: readonly NewerEvent[];
  readonly end: LogCursor;
  readonly full: boolean;
}

/** The part of a lease that publishing uses. */
type Lease = Pick<HeldLease, 'token' | 'requireHeld'>;

export interface LogPublishingParts {
  readonly reader: Pick<LogReader, 'knows' | 'readAfter' | 'readStreamFrom'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly cursor: Pick<FencedCursor, 'takeOver' | 'move' | 'blocked' | 'release'>;
  readonly topics: Pick<TopicSettings, 'prefix'>;
  readonly onPublished: (messages: number) => void;
  readonly onHeldBack: (event: EventRef) => void;
}

/**
 * Publishes the event log in batches, one after the other. The cursor moves after a batch was
 * acknowledged, and only under the newest lease. So a topic may contain repeats, but the first
 * occurrences are in the order of the log. An event that only a newer release can read blocks its
 * stream from there on; all other streams continue. A process that can read the event publishes it
 * when it acquires the lease.
 */
export class LogPublishing {
  private position: LogCursor | null = null;
  /**
   * The unacknowledged batch. It is published again unchanged until it is acknowledged; nothing
   * newer is published before it.
   */
  private batch: Batch | null = null;
  private readonly held = new Map<string, EventRef>();
  /** The blocked events that this release can read. */
  private readable: EventRef[] = [];

  constructor(private readonly parts: LogPublishingParts) {}

  /** Call once with each acquired lease, before its first round. */
  async begin(lease: Lease): Promise<void> {
    this.batch = null;
    const { cursor, reader } = this.parts;
    this.position = await cursor.takeOver(lease.token);
    const blocked = await cursor.blocked();
    this.held.clear();
    for (const one of blocked) this.held.set(blockedKey(one), one);
    this.readable = blocked.filter((one) => reader.knows(one));
  }

  /** `end`: everything readable was published. */
  async round(lease: Lease): Promise<'more' | 'end' | 'idle'> {
    assert(this.position !== null, 'the cursor is taken over before the first round');
    const [first] = this.readable;
    if (first !== undefined) {
      await this.catchUp(first, this.position, lease);
      this.readable.shift();
      return 'more';
    }
    const batch = (this.batch ??= await this.read(this.position));
    if (batch === null) return 'idle';
    // The next batch is read while the current one is published; the run ends after both.
    const [published, ahead] = await Promise.allSettled([
      this.publish(batch, lease),
      batch.full ? this.read(batch.end) : null,
    ]);
    if (published.status === 'rejected') throw published.reason;
    this.position = batch.end;
    this.batch = ahead.status === 'fulfilled' ? ahead.value : null;
    if (ahead.status === 'rejected') throw ahead.reason;
    // The batch reached the end of the log: later commits send a notification.
    return batch.full ? 'more' : 'end';
  }

  private async publish({ messages, newly, end }: Batch, lease: Lease): Promise<void> {
    await this.send(messages, lease);
    await this.parts.cursor.move(lease.token, end, newly);
    for (const one of newly) this.parts.onHeldBack(one);
  }

  private async send(messages: readonly OutgoingMessage[], lease: Lease): Promise<void> {
    lease.requireHeld();
    if (messages.length === 0) return;
    await this.parts.publisher.publish(messages);
    this.parts.onPublished(messages.length);
  }

  /**
   * Publishes the blocked events of a stream up to the cursor; later events are published with the
   * other streams.
   */
  private async catchUp(stream: EventRef, position: LogCursor, lease: Lease): Promise<void> {
    const { reader, cursor } = this.parts;
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
    for (const one of begun) this.held.set(blockedKey(one), one);
    const full = entries.length === BATCH_EVENTS || cut !== undefined;
    return { messages, newly: begun, end, full };
  }

  /** Separates the publishable events from the streams that become blocked. */
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
