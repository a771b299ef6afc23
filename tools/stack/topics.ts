import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOPIC_NAMES } from '#messaging';
import { Kafka, logLevel } from 'kafkajs';
import { type PublishedEvent, publishedEvent } from './published-event.js';

/** A message as a subscriber finds it. */
export interface ToldEvent {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly event: PublishedEvent;
}

const READ_WITHIN_MS = 180_000;

const clientOf = (brokers: readonly string[]): Kafka =>
  new Kafka({ clientId: 'reader', brokers: [...brokers], logLevel: logLevel.NOTHING });

/** How many messages the topics hold now. */
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

/**
 * All that the topics of a prefix hold now, as a consumer of its own reads it: each partition in
 * its order.
 */
export const readTopics = async (
  brokers: readonly string[], prefix: string,
): Promise<readonly ToldEvent[]> => {
  const kafka = clientOf(brokers);
  const topics = Object.values(TOPIC_NAMES).map((name) => `${prefix}${name}`);
  const expected = await countOf(kafka, topics);
  const told: ToldEvent[] = [];
  if (expected === 0) return told;
  const consumer = kafka.consumer({ groupId: `reader-${randomUUID()}`, maxWaitTimeInMs: 50 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics, fromBeginning: true });
    await consumer.run({
      eachMessage: ({ topic, partition, message }) => {
        const { offset } = message;
        told.push({ topic, partition, offset, event: publishedEvent(message) });
        return Promise.resolve();
      },
    });
    const deadlineMs = Date.now() + READ_WITHIN_MS;
    while (told.length < expected) {
      if (Date.now() > deadlineMs) throw new Error(`only ${told.length} of ${expected} were read`);
      await sleep(20);
    }
  } finally {
    await consumer.disconnect();
  }
  return told;
};
