import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOPIC_NAMES } from '#kafka';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { type PublishedEvent, publishedEvent } from './published-event.js';

export interface ReadEvent {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly event: PublishedEvent;
}

export interface Published {
  readonly brokers: readonly string[];
  readonly topicPrefix: string;
  readonly databases: { readonly orchestrator: string };
}

const READ_WITHIN_MS = 180_000;
const PUBLISHED_WITHIN_MS = 60_000;

/** Selects a row while the relay has not published all events up to a given position. */
const UNPUBLISHED = `
  SELECT FROM events e
   WHERE e.position <= $1
     AND NOT EXISTS (SELECT FROM log_cursors c
                      WHERE c.name = 'relay' AND (c.epoch, c.transaction_id, c.position)
                            >= (e.epoch, e.transaction_id, e.position))
   LIMIT 1`;

const clientOf = (brokers: readonly string[]): Kafka =>
  new Kafka({ clientId: 'reader', brokers: [...brokers], logLevel: logLevel.NOTHING });

const countOf = async (kafka: Kafka, topics: readonly string[]): Promise<number> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ends = await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)));
    return ends.flat().reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  } finally {
    await admin.disconnect();
  }
};

/** Waits until the relay has published all events that were committed before this call. */
const untilPublished = async (databaseUrl: string): Promise<void> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const {
      rows: [end],
    } = await pool.query<{ position: string }>(
      'SELECT coalesce(max(position), 0)::text AS position FROM events',
    );
    const deadlineMs = Date.now() + PUBLISHED_WITHIN_MS;
    for (;;) {
      const { rowCount } = await pool.query(UNPUBLISHED, [end?.position]);
      if (rowCount === 0) return;
      if (Date.now() > deadlineMs) throw new Error('the relay did not publish all events in time');
      await sleep(50);
    }
  } finally {
    await pool.end();
  }
};

/**
 * All messages of a stack's topics, in order within each partition. First waits until the relay has
 * published all committed events.
 */
export const readTopics = async ({
  brokers,
  topicPrefix: prefix,
  databases,
}: Published): Promise<readonly ReadEvent[]> => {
  await untilPublished(databases.orchestrator);
  const kafka = clientOf(brokers);
  const topics = Object.values(TOPIC_NAMES).map((name) => `${prefix}${name}`);
  const expected = await countOf(kafka, topics);
  const read: ReadEvent[] = [];
  if (expected === 0) return read;
  const consumer = kafka.consumer({ groupId: `reader-${randomUUID()}`, maxWaitTimeInMs: 50 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics, fromBeginning: true });
    await consumer.run({
      eachMessage: ({ topic, partition, message }) => {
        const { offset } = message;
        read.push({ topic, partition, offset, event: publishedEvent(message) });
        return Promise.resolve();
      },
    });
    const deadlineMs = Date.now() + READ_WITHIN_MS;
    while (read.length < expected) {
      if (Date.now() > deadlineMs)
        throw new Error(
          `only ${read.length} of ${expected} messages were read from the topics in time`,
        );
      await sleep(20);
    }
  } finally {
    await consumer.disconnect();
  }
  return read;
};
