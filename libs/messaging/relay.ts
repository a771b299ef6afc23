import type { Pool } from 'pg';
import type { LogCursor, LogReader, RecordedEvent } from '#event-store';
import { assert } from '#kernel';
import type { Logger } from '#platform';
import { encodeCloudEvent, type OutgoingMessage } from './cloud-event.js';
import type { HeldLease } from './lease.js';
import { LeasedLoop } from './leased-loop.js';
import type { MessagingMetrics } from './messaging-metrics.js';
import type { Publisher } from './publisher.js';
import { FencedCursor } from './relay-cursor.js';
import { sendable } from './send-size.js';
import type { TopicSettings } from './topics.js';

/** Both the lease's and the cursor's name. */
export const RELAY_NAME = 'relay';
const BATCH_EVENTS = 500;
const IDLE_MS = { first: 4, widest: 20 };

interface Batch {
  readonly messages: readonly OutgoingMessage[];
  readonly end: LogCursor;
  readonly full: boolean;
}

export interface RelayOptions {
  readonly pool: Pool;
  readonly reader: LogReader;
  readonly publisher: Publisher;
  readonly topics: Pick<TopicSettings, 'prefix'>;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
  readonly leaseTtlMs?: number;
}

/**
 * Publishes the event log: it is the outbox. One process at a time, by lease; one batch at a time,
 * awaited; the cursor moves after the acknowledgement. So a topic may repeat, but first occurrences
 * come in the order of the log: whoever publishes a batch knows that all before it is published.
 */
export class Relay {
  readonly cursor: FencedCursor;
  private readonly loop: LeasedLoop;
  private position: LogCursor | null = null;
  /** Published again as it is until it is acknowledged; nothing newer goes before it. */
  private batch: Batch | null = null;

  constructor(private readonly options: RelayOptions) {
    const { pool, logger, leaseTtlMs } = options;
    this.cursor = new FencedCursor(pool, RELAY_NAME);
    this.loop = new LeasedLoop(
      {
        name: RELAY_NAME,
        begin: (lease) => this.begin(lease),
        round: (lease) => this.round(lease),
      },
      {
        pool, logger, idleMs: IDLE_MS, ...(leaseTtlMs === undefined ? {} : { ttlMs: leaseTtlMs }),
      },
    );
    options.metrics.watchRelay(() => this.loop.failing);
  }

  /** Whether publishing has been failing since the last batch that went through. */
  get failing(): boolean {
    return this.loop.failing;
  }

  start(): void {
    this.loop.start();
  }

  /** Something was committed by this process: it need not wait for the next look. */
  wake(): void {
    this.loop.wake();
  }

  /** Ends after the batch under way. The publisher stays open. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Whether all that is committed now has been published, by this process or another. */
  async isCaughtUp(): Promise<boolean> {
    const { epoch, transactionId, position } = await this.cursor.read();
    const { rows } = await this.options.pool.query<{ behind: boolean }>({
      name: 'relay-behind',
      text: `SELECT EXISTS (SELECT FROM events
              WHERE (epoch, transaction_id, position) > ($1, $2::xid8, $3)) AS behind`,
      values: [epoch, transactionId, position],
    });
    return rows[0]?.behind === false;
  }

  private async begin(lease: HeldLease): Promise<void> {
    this.batch = null;
    this.position = await this.cursor.takeOver(lease.token);
  }

  private async round(lease: HeldLease): Promise<'more' | 'idle'> {
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

  private async publish(batch: Batch, lease: HeldLease): Promise<void> {
    const { publisher, metrics } = this.options;
    lease.requireHeld();
    await publisher.publish(batch.messages);
    metrics.published.inc(batch.messages.length);
    await this.cursor.move(lease.token, batch.end);
  }

  private async read(after: LogCursor): Promise<Batch | null> {
    const events = await this.options.reader.readAfter(after, BATCH_EVENTS);
    const all = events.map((event) => encodeCloudEvent(event, this.options.topics));
    const messages = sendable(all);
    const last: RecordedEvent | undefined = events[messages.length - 1];
    if (last === undefined) return null;
    const full = events.length === BATCH_EVENTS || messages.length < events.length;
    return { messages, end: last.cursor, full };
  }
}
