import type { Pool } from 'pg';
import type { LogReader } from '#log';
import { isTracing, type Logger, noteSpan } from '#platform';
import type { OutgoingMessage } from './cloud-event.js';
import { LeasedLoop } from './leased-loop.js';
import { LogPublishing } from './log-publishing.js';
import type { MessagingMetrics } from './messaging-metrics.js';
import type { Publisher } from './publisher.js';
import { FencedCursor } from './relay-cursor.js';
import { RELAY_NAME } from './relay-name.js';
import type { TopicSettings } from './topics.js';

/**
 * Under load the relay publishes at most 20 times per second, because fewer and larger batches cost
 * the broker less: a third less if the same messages are sent in half as many batches.
 */
const IDLE_MS = { gather: 50, burst: 4 };

export interface RelayOptions {
  readonly pool: Pool;
  readonly reader: LogReader;
  readonly publisher: Publisher;
  readonly topics: Pick<TopicSettings, 'prefix'>;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
  readonly leaseTtlMs?: number;
}

/** Records a span for each published event, in the trace of the event. */
const traceMessages = (messages: readonly OutgoingMessage[], sentMs: number): void => {
  if (!isTracing()) return;
  for (const { topic, headers } of messages) {
    const { traceparent: parent, ce_id: id = '', ce_type: type = '' } = headers;
    const attributes = {
      'messaging.system': 'kafka',
      'messaging.destination.name': topic,
      'messaging.message.id': id,
      'event.type': type,
    };
    if (parent === undefined) continue;
    noteSpan({ name: `send ${topic}`, kind: 'producer', parent, attributes }, sentMs);
  }
};

/**
 * Publishes the event log on Kafka. The log itself is the outbox. Only the process that holds the
 * lease publishes.
 */
export const createRelay = (options: RelayOptions): LeasedLoop => {
  const { pool, reader, publisher, topics, logger, metrics, leaseTtlMs } = options;
  const publishing = new LogPublishing({
    reader,
    publisher,
    cursor: new FencedCursor(pool, RELAY_NAME),
    topics,
    onPublished: (messages, sentMs) => {
      metrics.published.inc(messages.length);
      traceMessages(messages, sentMs);
    },
    onHeldBack: (event) =>
      logger.error(
        event,
        'only a newer release can read this event: its stream is blocked until a process of that release publishes the event',
      ),
  });
  const loop = new LeasedLoop(
    {
      name: RELAY_NAME,
      begin: (lease) => publishing.begin(lease),
      round: (lease) => publishing.round(lease),
    },
    { pool, logger, idleMs: IDLE_MS, ...(leaseTtlMs === undefined ? {} : { ttlMs: leaseTtlMs }) },
  );
  metrics.watchRelay(() => loop.failing);
  return loop;
};
