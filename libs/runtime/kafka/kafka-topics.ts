import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Admin, type Kafka } from 'kafkajs';
import type { Logger } from '#platform';
import type { StreamType } from '#kernel';
import { STREAM_TYPES, topicOf, type TopicSettings } from './topics.js';

/** Thrown when a topic has settings that would lose events. */
export class UnsafeTopic extends Error {
  override readonly name = 'UnsafeTopic';
}

/**
 * A topic keeps its whole history forever, because a new subscriber reads it from the beginning. A
 * topic without these settings has the defaults of its cluster, which may limit the time or the
 * size.
 */
const REQUIRED_CONFIG = {
  'retention.ms': '-1',
  'retention.bytes': '-1',
  'cleanup.policy': 'delete',
} as const;

const requireSafeConfig = async (admin: Admin, topics: readonly string[]): Promise<void> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configNames: Object.keys(REQUIRED_CONFIG),
    })),
  });
  for (const { resourceName, configEntries } of resources) {
    for (const { configName, configValue } of configEntries) {
      const required = Object.entries(REQUIRED_CONFIG).find(([name]) => name === configName)?.[1];
      if (required === undefined || required === configValue) continue;
      throw new UnsafeTopic(
        `the topic ${resourceName} has ${configName}=${configValue}: set it to ${required} with ` +
          `kafka-configs.sh --alter --entity-type topics --entity-name ${resourceName} ` +
          `--add-config ${configName}=${required}`,
      );
    }
  }
};

const warnOfPartitions = async (
  admin: Admin,
  topics: readonly string[],
  settings: TopicSettings,
  logger: Logger,
): Promise<void> => {
  const metadata = await admin.fetchTopicMetadata({ topics: [...topics] });
  for (const { name, partitions } of metadata.topics) {
    if (partitions.length === settings.partitions) continue;
    const configured = settings.partitions;
    const fields = { topic: name, partitions: partitions.length, configured };
    logger.warn(
      fields,
      'a topic has a different number of partitions than configured; the number of an existing topic is never changed',
    );
  }
};

export const topicsOf = (settings: Pick<TopicSettings, 'prefix'>): readonly string[] =>
  STREAM_TYPES.map((streamType) => topicOf(streamType, settings));

/** The errors of a broker that does not lead the partitions of a new topic yet. */
const NOT_LED_YET: ReadonlySet<unknown> = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
]);
const LED_WITHIN_MS = 5_000;
const ASK_AGAIN_MS = 20;

/** The type of a broker's error, even if kafkajs has wrapped the error after its last attempt. */
const typeOf = (error: unknown): unknown => {
  const { type, cause } = error as { readonly type?: unknown; readonly cause?: unknown };
  return cause === undefined ? type : typeOf(cause);
};

/**
 * Waits until a new topic accepts messages. `waitForLeaders` of kafkajs throws while the broker
 * does not have the topic yet, and otherwise resolves too early: offsets can be read only when the
 * broker leads the topic's partitions.
 */
const waitUntilLed = async (admin: Admin, topic: string): Promise<void> => {
  const deadlineMs = performance.now() + LED_WITHIN_MS;
  for (;;) {
    try {
      await admin.fetchTopicOffsets(topic);
      return;
    } catch (error) {
      if (!NOT_LED_YET.has(typeOf(error)) || performance.now() > deadlineMs) throw error;
    }
    await sleep(ASK_AGAIN_MS);
  }
};

/**
 * Creates missing topics and checks the settings of existing topics. Several processes may do this
 * simultaneously.
 * @throws UnsafeTopic, and the errors of the client while no broker responds.
 */
export const ensureTopics = async (
  kafka: Kafka,
  settings: TopicSettings,
  logger: Logger,
  streamTypes: readonly StreamType[] = STREAM_TYPES,
): Promise<void> => {
  const topics = streamTypes.map((streamType) => topicOf(streamType, settings));
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !existing.has(topic));
    if (missing.length > 0) {
      await admin.createTopics({
        waitForLeaders: false,
        topics: missing.map((topic) => ({
          topic,
          numPartitions: settings.partitions,
          replicationFactor: settings.replication,
          configEntries: Object.entries(REQUIRED_CONFIG).map(([name, value]) => ({ name, value })),
        })),
      });
    }
    for (const topic of missing) await waitUntilLed(admin, topic);
    await requireSafeConfig(admin, topics);
    await warnOfPartitions(admin, topics, settings, logger);
  } finally {
    await admin.disconnect();
  }
};

/** Whether an existing topic contains no message. */
export const isEmptyTopic = async (kafka: Kafka, topic: string): Promise<boolean> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const offsets = await admin.fetchTopicOffsets(topic);
    return offsets.every(({ low, high }) => low === high);
  } finally {
    await admin.disconnect();
  }
};
