import type { Kafka } from 'kafkajs';
import type { Pool } from 'pg';
import { ensureTopics, topicsOf } from './kafka-topics.js';
import { topicIdsOf } from './topic-ids.js';
import { STREAM_TYPES, topicOf, type TopicSettings } from './topics.js';
import { RELAY_NAME } from './relay-name.js';
import type { Logger } from '#platform';

/**
 * A topic has lost messages that were published. Nothing is published until an operator has
 * republished the topic.
 */
export class LostTopic extends Error {
  override readonly name = 'LostTopic';
}

type TopicIds = Readonly<Record<string, string>>;

/** The ids of the topics to which the relay has published; they are stored with its cursor. */
export const keptIds = async (pool: Pool): Promise<TopicIds> => {
  const { rows } = await pool.query<{ ids: TopicIds }>(
    'SELECT topic_ids AS ids FROM log_cursors WHERE name = $1',
    [RELAY_NAME],
  );
  return rows[0]?.ids ?? {};
};

/**
 * Stores the ids of topics to which the relay publishes; an id that is already stored does not
 * change.
 */
const keepIds = async (pool: Pool, ids: TopicIds): Promise<void> => {
  await pool.query('UPDATE log_cursors SET topic_ids = $2::jsonb || topic_ids WHERE name = $1', [
    RELAY_NAME,
    ids,
  ]);
};

const lost = (names: readonly string[], settings: TopicSettings): LostTopic => {
  const types = STREAM_TYPES.filter((type) => names.includes(topicOf(type, settings)));
  const commands = types
    .map((type) => `npm run relay -- republish ${type} --reason "…"`)
    .join('; ');
  return new LostTopic(
    `nothing is published: ${names.join(', ')} was lost, with all messages that it contained. ` +
      'Stop every worker, delete the topic if it was created again, run ' +
      `${commands}; then start the workers. If several shards publish to the topic, delete it only ` +
      'once, and add --shared in every shard but the first',
  );
};

/**
 * Creates the missing topics. A topic to which the relay has already published is not created
 * again, because the new topic would lack the published messages.
 * @throws LostTopic, UnsafeTopic, and the errors of the client while no broker responds.
 */
export const preparePublishing = async (
  pool: Pool,
  kafka: Kafka,
  settings: TopicSettings,
  logger: Logger,
): Promise<void> => {
  const topics = topicsOf(settings);
  const kept = await keptIds(pool);
  const before = await topicIdsOf(kafka, topics);
  const missing = topics.filter(
    (topic) => kept[topic] !== undefined && kept[topic] !== before.get(topic),
  );
  if (missing.length > 0) throw lost(missing, settings);
  await ensureTopics(kafka, settings, logger);
  const isNew = topics.some((topic) => kept[topic] === undefined);
  if (isNew) await keepIds(pool, Object.fromEntries(await topicIdsOf(kafka, topics)));
};
