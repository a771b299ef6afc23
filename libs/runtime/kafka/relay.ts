import type { Pool } from 'pg';
import type { LogReader } from '#log';
import type { Logger } from '#platform';
import { LeasedLoop } from './leased-loop.js';
import { LogPublishing } from './log-publishing.js';
import type { MessagingMetrics } from './messaging-metrics.js';
import type { Publisher } from './publisher.js';
import { FencedCursor } from './relay-cursor.js';
import { RELAY_NAME } from './relay-name.js';
import type { TopicSettings } from './topics.js';

export interface RelayOptions {
  readonly pool: Pool;
  readonly reader: LogReader;
  readonly publisher: Publisher;
  readonly topics: Pick<TopicSettings, 'prefix'>;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
  readonly leaseTtlMs?: number;
}

/** Publishes the event log, which is the outbox: one process at a time, by lease. */
export class Relay {
  readonly cursor: FencedCursor;
  private readonly loop: LeasedLoop;

  constructor(private readonly options: RelayOptions) {
    const { pool, reader, publisher, topics, logger, metrics, leaseTtlMs } = options;
    const cursor = new FencedCursor(pool, RELAY_NAME);
    this.cursor = cursor;
    const publishing = new LogPublishing({
      reader,
      publisher,
      cursor,
      topics,
      onPublished: (messages) => metrics.published.inc(messages),
      onHeldBack: (event) =>
        logger.error(
          event,
          'only a newer release can read this event: its stream is held back until one publishes',
        ),
    });
    this.loop = new LeasedLoop(
      {
        name: RELAY_NAME,
        begin: (lease) => publishing.begin(lease),
        round: (lease) => publishing.round(lease),
      },
      {
        pool,
        logger,
        ...(leaseTtlMs === undefined ? {} : { ttlMs: leaseTtlMs }),
      },
    );
    metrics.watchRelay(() => this.loop.failing);
  }

  /** Whether publishing has failed since the last successful batch. */
  get failing(): boolean {
    return this.loop.failing;
  }

  /** The current error. */
  get failure(): string | null {
    return this.loop.failure;
  }

  start(): void {
    this.loop.start();
  }

  /** Notifies the relay of a commit, so that it need not wait for its next read. */
  wake(): void {
    this.loop.wake();
  }

  /** Stops after the current batch. The publisher stays open. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Whether all events committed so far have been published, by this process or another. */
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
}
