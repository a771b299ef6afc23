import { fileURLToPath } from 'node:url';
import { Kafka, logLevel } from 'kafkajs';
import { Pool } from 'pg';
import { randomText } from '#kernel';
import { waitFor } from '#testing';
// Imported for its effect: stops kafkajs's timer of one millisecond, as in the product.
import '#kafka';
import { freePort, supervise, waitReady } from '../../tools/infra/processes.mjs';
import { emptyDatabase, dropDatabase } from '../../tools/stack/databases.js';
import type { Servers } from '../../tools/stack/stack.js';
import { call, follow } from '../payer.js';

/** The number of events that the reference programs write for one order. */
export const FLOOR_EVENTS = 10;
export const FLOOR_WEBHOOKS = 6;
export const FLOOR_COMMITS = 15;

export interface Floor {
  readonly pids: Readonly<Record<string, number | undefined>>;
  /** Pays one whole order. */
  readonly once: () => Promise<void>;
  /** Counts the written rows and consumed messages of all orders so far. */
  readonly counts: () => Promise<FloorCounts>;
  stop(): Promise<void>;
}

export interface FloorCounts {
  readonly paid: number;
  readonly events: number;
  readonly webhooks: number;
  readonly consumed: number;
}

const isReady = (url: string) => async (): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

const start = async (name: string, port: number, env: Readonly<Record<string, string>>) => {
  const main = fileURLToPath(new URL(`${name}.js`, import.meta.url));
  const running = supervise(process.execPath, [main], {
    name: `The floor's ${name}`,
    env: { ...process.env, PORT: String(port), ...env },
  });
  await waitReady(running, isReady(`http://127.0.0.1:${port}`), { timeoutMs: 15_000 });
  return running;
};

/** Creates a topic, and starts a consumer that counts its messages. */
const startConsumer = async (brokers: string[]) => {
  const topic = `floor_${randomText(6).toLowerCase()}`;
  const kafka = new Kafka({ clientId: 'floor-consumer', brokers, logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    topics: [{ topic, numPartitions: 6, replicationFactor: 1 }],
    waitForLeaders: false,
  });
  await waitFor(async () => (await admin.fetchTopicOffsets(topic)).length === 6);
  await admin.disconnect();
  const consumer = kafka.consumer({ groupId: topic, minBytes: 65_536, maxWaitTimeInMs: 200 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  let consumed = 0;
  await consumer.run({
    eachBatch: ({ batch }) => {
      consumed += batch.messages.length;
      return Promise.resolve();
    },
  });
  return { topic, consumed: () => consumed, stop: () => consumer.disconnect() };
};

/**
 * Starts the reference programs of bench F (the "floor"), on the same PostgreSQL and Kafka as the
 * product. For each order they make as many HTTP requests, rows, commits, webhooks and messages as
 * the product, but they have no features. Their throughput is the maximum of this machine.
 */
export const startFloor = async ({ databaseUrl, brokers }: Servers): Promise<Floor> => {
  const [ours, theirs] = [
    await emptyDatabase(databaseUrl, 'floor'),
    await emptyDatabase(databaseUrl, 'floor_provider'),
  ];
  const events = await startConsumer(brokers.split(','));
  const [port, providerPort] = [await freePort(), await freePort()];
  const [url, providerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${providerPort}`];
  const provider = await start('provider', providerPort, {
    DATABASE_URL: theirs,
    WEBHOOK_URL: url,
    OWN_URL: providerUrl,
  });
  const orchestrator = await start('orchestrator', port, {
    DATABASE_URL: ours,
    PROVIDER_URL: providerUrl,
    BROKERS: brokers,
    TOPIC: events.topic,
  });
  const pool = new Pool({ connectionString: ours, max: 1 });

  return {
    pids: { floor: orchestrator.pid, 'floor provider': provider.pid },
    once: async () => {
      const { id } = await call('POST', `${url}/orders`, {}, { amountMinor: 1250 });
      const stream = follow(`${url}/orders/${String(id)}/events`, {});
      try {
        const intent = await stream.until('IntentCreated');
        await call('POST', `${String(intent['pageUrl'])}/card`, {}, {});
        const refresh = { intentId: intent['id'] };
        await call('POST', `${url}/orders/${String(id)}/refresh`, {}, refresh);
        await stream.until('OrderPaid');
      } finally {
        stream.end();
      }
    },
    counts: async () => {
      const { rows } = await pool.query<Omit<FloorCounts, 'consumed'>>(
        `SELECT (SELECT count(*)::int FROM orders WHERE status = 'paid') AS paid,
                (SELECT count(*)::int FROM events) AS events,
                (SELECT count(*)::int FROM webhooks) AS webhooks`,
      );
      return { paid: 0, events: 0, webhooks: 0, ...rows[0], consumed: events.consumed() };
    },
    stop: async () => {
      await Promise.all([events.stop(), pool.end()]);
      await Promise.all([orchestrator.stop(), provider.stop()]);
      for (const database of [ours, theirs]) await dropDatabase(databaseUrl, database);
    },
  };
};
