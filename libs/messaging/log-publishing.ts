import type { LogCursor, LogReader, RecordedEvent } from '#event-store';
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
  readonly end: LogCursor;
  readonly full: boolean;
}

/** What a round needs of the lease that guards it. */
type Lease = Pick<HeldLease, 'token' | 'requireHeld'>;

export interface LogPublishingParts {
  readonly reader: Pick<LogReader, 'readAfter'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly cursor: Pick<FencedCursor, 'takeOver' | 'move'>;
  readonly topics: Pick<TopicSettings, 'prefix'>;
  readonly onPublished: (messages: number) => void;
}

/**
 * Publishes the log in rounds: one batch at a time, awaited; the cursor moves after the
 * acknowledgement, and only under the newest lease. So a topic may repeat, but first occurrences
 * come in the order of the log.
 */
export class LogPublishing {
  private position: LogCursor | null = null;
  /** Published again as it is until it is acknowledged; nothing newer goes before it. */
  private batch: Batch | null = null;

  constructor(private readonly parts: LogPublishingParts) {}

  /** To be called once with each lease, before its first round. */
  async begin(lease: Lease): Promise<void> {
    this.batch = null;
    this.position = await this.parts.cursor.takeOver(lease.token);
  }

  async round(lease: Lease): Promise<'more' | 'idle'> {
    assert(this.position !== null, 'the cursor is taken over before the first round');
    const batch = (this.batch ??= await this.read(this.position));
    if (batch === null) return 'idle';
    // The next batch is read while this one is on its way; both end before the round does.
    const [published, ahead] = await Promise.allSettled([
      this.publish(batch, lease),
      batch.full ? this.read(batch.end) : null,
    ]);
    if (published.status === 'rejected') throw published.reason;
    this.position = batch.end;
    this.batch = ahead.status === 'fulfilled' ? ahead.value : null;
    if (ahead.status === 'rejected') throw ahead.reason;
    return 'more';
  }

  private async publish(batch: Batch, lease: Lease): Promise<void> {
    const { publisher, cursor, onPublished } = this.parts;
    lease.requireHeld();
    await publisher.publish(batch.messages);
    onPublished(batch.messages.length);
    await cursor.move(lease.token, batch.end);
  }

  private async read(after: LogCursor): Promise<Batch | null> {
    const { reader, topics } = this.parts;
    const events = await reader.readAfter(after, BATCH_EVENTS);
    const messages = sendable(events.map((event) => encodeCloudEvent(event, topics)));
    const last: RecordedEvent | undefined = events[messages.length - 1];
    if (last === undefined) return null;
    const full = events.length === BATCH_EVENTS || messages.length < events.length;
    return { messages, end: last.cursor, full };
  }
}
