import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { LOG_START, LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { newEventId } from '#kernel';
import {
  createKafka,
  createRelay,
  encodeCloudEvent,
  ensureTopics,
  KafkaPublisher,
  type KafkaSettings,
  MessagingMetrics,
} from '#kafka';
import { createLogger, Metrics } from '#platform';
import { CompressionTypes, Partitioners } from 'kafkajs';
import { Pool } from 'pg';
import { compare, type Comparison } from './rounds.js';

const EVENTS = 20_000;
const BATCH = 500;

/** Whether the log contains an event that the relay has not published yet. */
const isBehind = async (pool: Pool): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `SELECT FROM events e JOIN log_cursors c ON c.name = 'relay'
      WHERE (e.epoch, e.transaction_id, e.position) > (c.epoch, c.transaction_id, c.position) LIMIT 1`,
  );
  return rowCount === 1;
};

const fillLog = async (pool: Pool): Promise<void> => {
  await pool.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
     SELECT 'order', 'ord_' || md5(random()::text || n), 1, gen_random_uuid(), 'OrderPlaced', 1, $1, $2
       FROM generate_series(1, $3) AS n`,
    [JSON.stringify(order), JSON.stringify(metadata), EVENTS],
  );
};

const order = {
  platformId: 'bench',
  merchantId: 'm',
  accountId: 'acc_bench',
  reference: 'R-1',
  amountMinor: 1250,
  currency: 'eur',
  capture: { policy: 'automatic' },
  methods: ['card'],
  returnUrl: null,
  description: 'a bench order',
  metadata: {},
  expiresAt: '2026-03-01T11:00:00.000Z',
  at: '2026-03-01T10:00:00.000Z',
};
const metadata = {
  correlationId: 'ord_bench',
  causationId: 'bench',
  actor: 'platform:bench',
  traceparent: null,
};

const bareMessage = (
  n: number,
): { key: string; value: string; headers: Record<string, string> } => {
  const { key, value, headers } = encodeCloudEvent(
    {
      cursor: LOG_START,
      streamType: 'order',
      streamId: `ord_${n}`,
      version: 1,
      eventId: newEventId(),
      type: 'OrderPlaced',
      schemaVersion: 1,
      data: order,
      metadata,
      recordedAt: order.at,
    },
    { prefix: '' },
  );
  return { key, value, headers: { ...headers } };
};

/**
 * Bench R3: compares the relay, from reading the log to Kafka's acknowledgement, with a client that
 * only sends messages in batches of the same size.
 */
export const benchRelay = async (databaseUrl: string, brokers: string): Promise<Comparison> => {
  const logger = createLogger('bench', { level: 'silent' });
  const settings: KafkaSettings = {
    brokers: brokers.split(','),
    topics: { prefix: `bench_${randomBytes(3).toString('hex')}_`, partitions: 6, replication: 1 },
    tls: null,
    sasl: null,
  };
  const kafka = createKafka(settings, 'bench', logger);
  await ensureTopics(kafka, settings.topics, logger);
  const pool = new Pool({ connectionString: databaseUrl, max: 4 });
  const publisher = new KafkaPublisher(kafka, () => Promise.resolve());
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
  });
  await producer.connect();

  const ours = async (): Promise<number> => {
    await fillLog(pool);
    const metrics = new MessagingMetrics(new Metrics(), pool);
    const reader = new LogReader(pool, UPCASTERS);
    const relay = createRelay({
      pool,
      reader,
      publisher,
      topics: settings.topics,
      metrics,
      logger,
    });
    const startedMs = performance.now();
    relay.start();
    while (await isBehind(pool)) await setTimeout(2);
    const seconds = (performance.now() - startedMs) / 1_000;
    await relay.stop();
    return EVENTS / seconds;
  };

  /**
   * Sends the relay's messages, built beforehand, so that only the client and the broker are
   * measured.
   */
  const bare = async (): Promise<number> => {
    const messages = Array.from({ length: BATCH }, (_, n) => bareMessage(n));
    const startedMs = performance.now();
    for (let sent = 0; sent < EVENTS; sent += BATCH) {
      await producer.sendBatch({
        acks: -1,
        compression: CompressionTypes.None,
        topicMessages: [{ topic: `${settings.topics.prefix}orders.v1`, messages }],
      });
    }
    return EVENTS / ((performance.now() - startedMs) / 1_000);
  };

  try {
    return await compare(ours, bare);
  } finally {
    await Promise.all([publisher.close(), producer.disconnect(), pool.end()]);
  }
};
