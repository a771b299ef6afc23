import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import type { Pool } from 'pg';
import { allKnown, isAfter, LOG_START, type LogCursor, type LogReader } from '#log';
import { assert, Rejection, type StreamType } from '#kernel';
import type { Logger } from '#platform';
import { encodeCloudEvent, type OutgoingMessage } from './cloud-event.js';
import { ensureTopics, isEmptyTopic, UnsafeTopic } from './kafka-topics.js';
import { type HeldLease, keepHeld, Lease } from './lease.js';
import { keptIds } from './published-topics.js';
import type { Publisher } from './publisher.js';
import { FencedCursor } from './relay-cursor.js';
import { RELAY_NAME } from './relay-name.js';
import { sendable } from './send-size.js';
import { topicIdsOf } from './topic-ids.js';
import { topicOf, type TopicSettings } from './topics.js';

const LEASE_TTL_MS = 15_000;
const LEASE_POLL_MS = 500;
const BATCH_EVENTS = 500;

export interface RepublishOptions {
  readonly pool: Pool;
  readonly reader: LogReader;
  readonly publisher: Publisher;
  readonly topics: TopicSettings;
  readonly streamType: StreamType;
  /** Whether other shards publish to the topic, so that it may contain their messages. */
  readonly isShared?: boolean;
  /** The Kafka client, which also creates the topic if it is missing. */
  readonly kafka: Kafka;
  readonly logger: Logger;
  /** How long to wait for the relay to stop, and for the topic to exist. */
  readonly waitMs: number;
  /** If this process crashes, the relay may continue after this time; default 15 000. */
  readonly leaseTtlMs?: number;
  readonly onProgress: (republished: number) => void;
}

const takeRelaysPlace = async (options: RepublishOptions): Promise<HeldLease> => {
  const { pool, waitMs, leaseTtlMs = LEASE_TTL_MS } = options;
  const lease = new Lease(pool, RELAY_NAME, `republish ${process.pid}`, leaseTtlMs);
  const lastTryMs = performance.now() + waitMs;
  for (;;) {
    const held = await lease.acquire();
    if (held !== null) return held;
    if (performance.now() > lastTryMs) {
      const message = 'the relay is running: stop every worker, then run this command again';
      throw new Rejection('relay_running', message);
    }
    await sleep(LEASE_POLL_MS);
  }
};

/**
 * Creates the topic if it is missing. Just after a topic was deleted, brokers reject a topic of the
 * same name, so the creation is retried.
 */
const topicThere = async ({ kafka, topics, logger, streamType, waitMs }: RepublishOptions) => {
  const lastTryMs = performance.now() + waitMs;
  for (;;) {
    try {
      return await ensureTopics(kafka, topics, logger, [streamType]);
    } catch (error) {
      if (error instanceof UnsafeTopic || performance.now() > lastTryMs) throw error;
    }
    await sleep(LEASE_POLL_MS);
  }
};

/**
 * Rejects a topic that contains messages of this log. If earlier events followed these messages,
 * subscribers would treat the earlier events as repetitions and drop them. A shared topic may
 * contain messages of other logs, because those belong to other streams. If its id differs from
 * that of the topic to which the relay has published, it was created later, and contains no
 * messages of this log.
 */
const requireNoneOfThisLog = async (options: RepublishOptions): Promise<void> => {
  const { pool, kafka, topics, streamType, isShared = false } = options;
  const topic = topicOf(streamType, topics);
  if (await isEmptyTopic(kafka, topic)) return;
  const kept = (await keptIds(pool))[topic];
  if (isShared && kept !== (await topicIdsOf(kafka, [topic])).get(topic)) return;
  throw new Rejection(
    'topic_not_empty',
    `${topic} contains messages, so its subscribers would drop the events that are published again: ` +
      `delete the topic (kafka-topics.sh --delete --topic ${topic}), then run this command again. ` +
      'If all its messages are of other shards, do not delete it, and add --shared',
  );
};

/**
 * Publishes the events of the log, up to the relay's cursor, to a topic without events of this log.
 * Afterwards the relay continues from its cursor. Until then this process holds the relay's lease,
 * because a relay would publish new events to the incomplete topic, and subscribers would receive
 * them before earlier events. Returns the number of published events. @throws Rejection
 * `relay_running`, `topic_not_empty`; LeaseLost if a relay has acquired the lease meanwhile.
 */
export const republish = async (options: RepublishOptions): Promise<number> => {
  const { pool, kafka, topics, streamType } = options;
  const held = await takeRelaysPlace(options);
  const ended = new AbortController();
  // A failed extension of the lease is retried later; if the lease is lost, the publishing ends.
  const kept = keepHeld(held, ended.signal, () => undefined);
  try {
    const cursor = new FencedCursor(pool, RELAY_NAME);
    const end = await cursor.takeOver(held.token);
    await topicThere(options);
    await requireNoneOfThisLog(options);
    const events = await publishAll(options, held, LOG_START, end);
    const topic = topicOf(streamType, topics);
    const id = (await topicIdsOf(kafka, [topic])).get(topic);
    assert(id !== undefined, 'a topic exists after messages were published to it');
    await cursor.keepTopicId(held.token, topic, id);
    return events;
  } finally {
    ended.abort();
    await kept;
    await held.release();
  }
};

/** The retries take up to 10 seconds, within which a cluster elects new leaders of partitions. */
const ATTEMPTS = 6;
const RETRY_MS = 2_000;

/**
 * Publishes a batch, and publishes it again after a failure: the command must not end because the
 * leader of a partition changes.
 */
const publishPatiently = async (
  publisher: Publisher,
  held: HeldLease,
  batch: readonly OutgoingMessage[],
): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    held.requireHeld();
    try {
      await publisher.publish(batch);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
    await sleep(RETRY_MS);
  }
};

const publishAll = async (
  options: RepublishOptions,
  held: HeldLease,
  from: LogCursor,
  end: LogCursor,
): Promise<number> => {
  const { reader, publisher, topics, streamType, onProgress } = options;
  let at = from;
  let republished = 0;
  for (;;) {
    const events = allKnown(await reader.readAfter(at, BATCH_EVENTS));
    const known = events.filter(({ cursor }) => !isAfter(cursor, end));
    const batch = known
      .filter((event) => event.streamType === streamType)
      .map((event) => encodeCloudEvent(event, topics));
    for (let left = batch; left.length > 0;) {
      const next = sendable(left);
      await publishPatiently(publisher, held, next);
      // If the lease was lost during the send, a relay may have published newer events before this
      // batch, so the command fails.
      held.requireHeld();
      left = left.slice(next.length);
    }
    republished += batch.length;
    onProgress(republished);
    const last = known.at(-1);
    if (last === undefined || known.length < events.length) return republished;
    at = last.cursor;
  }
};
