import { connect } from 'node:net';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { EventStore, LogReader, PostgresLog } from '#log';
import { type Aggregate, type Instant, newId, NO_FOLLOW_UPS } from '#kernel';
import {
  createKafka,
  ensureTopics,
  KafkaPublisher,
  type KafkaSettings,
  MessagingMetrics,
  preparePublishing,
  type Publisher,
  createRelay,
  type RelayOptions,
  type LeasedLoop,
  logLag,
  topicOf,
} from '#kafka';
import { createLogger, createPool, Metrics } from '#platform';
import { kafkaBrokers, lendDatabases, openDatabase, specPool, uniqueName, waitFor } from '#testing';
import { type PublishedEvent, publishedEvent } from '../../tools/stack/published-event.js';
import type { TcpProxy } from './tcp-proxy.js';

const AT = '2026-03-01T12:00:00.000Z' as Instant;

type NoteEvent =
  | { readonly type: 'Noted'; readonly text: string; readonly at: Instant }
  | { readonly type: 'Hummed'; readonly at: Instant };
type NoteCommand =
  | { readonly type: 'Note'; readonly texts: readonly string[] }
  | { readonly type: 'Hum'; readonly times: number };

/** An aggregate for specs, whose decider accepts every command. */
export const notebook: Aggregate<number, NoteCommand, NoteEvent> = {
  streamType: 'order',
  decider: {
    initialState: 0,
    decide: (_state, command) =>
      command.type === 'Note'
        ? command.texts.map((text) => ({ type: 'Noted', text, at: AT }))
        : Array.from({ length: command.times }, () => ({ type: 'Hummed', at: AT })),
    evolve: (count) => count + 1,
  },
  upcasters: { Noted: [], Hummed: [] },
  ownerOf: () => null,
  followUps: () => NO_FOLLOW_UPS,
};

const METADATA = {
  correlationId: 'cor',
  causationId: 'cau',
  actor: 'platform:test',
  traceparent: null,
};

const poolOf = (connectionString: string): pg.Pool =>
  createPool({ applicationName: 'messaging-test', connectionString, max: 8 }, () => undefined);

const openHarnessDatabase = () =>
  openDatabase('orchestrator', ({ url, urlFor }) => ({
    admin: specPool(url),
    worker: poolOf(urlFor('worker')),
  }));

/** The databases of a spec file that starts a harness for each of its tests. */
export const lendHarnessDatabases = () => {
  const databases = lendDatabases(openHarnessDatabase);
  afterAll(() => databases.end());
  return databases;
};

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/**
 * Takes an empty database, and topics with a unique prefix, for a relay; `end` stops everything.
 */
export const startHarness = async (
  changes: Partial<KafkaSettings> = {},
  databases?: ReturnType<typeof lendHarnessDatabases>,
) => {
  const database = await (databases === undefined ? openHarnessDatabase() : databases.lend());
  const { worker: pool, admin } = database.pools;
  const ends: (() => Promise<unknown>)[] = [() => database.close()];
  const newPool = (url: string): pg.Pool => {
    const own = poolOf(url);
    ends.push(() => own.end());
    return own;
  };
  const settings: KafkaSettings = {
    brokers: kafkaBrokers(),
    topics: { prefix: `${uniqueName('t')}.`, partitions: 3, replication: 1 },
    tls: null,
    sasl: null,
    ...changes,
  };
  const logger = createLogger('test', { level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const kafka = createKafka(settings, 'test', logger);
  const store = new EventStore(new PostgresLog(pool), notebook.upcasters, null);
  const registry = new Metrics();
  new MessagingMetrics(registry, pool);
  const metrics = () => new MessagingMetrics(new Metrics(), pool);
  const prepare = () => ensureTopics(kafka, settings.topics, logger);

  return {
    pool,
    /** A pool with all rights, for the statements that only the spec runs. */
    admin,
    newPool,
    database,
    settings,
    logger,
    kafka,
    store,
    prepare,
    metrics,
    /** Registers a cleanup; cleanups run in reverse order of registration. */
    onEnd: (end: () => Promise<unknown>) => ends.push(end),
    newStream: () => newId('ord'),
    metricsText: () => registry.registry.metrics(),
    note: (id: string, ...texts: string[]) =>
      store.execute(notebook, id, { type: 'Note', texts }, METADATA),
    hum: (id: string, times = 1) => store.execute(notebook, id, { type: 'Hum', times }, METADATA),

    publisher: (
      client = kafka,
      ready = () => preparePublishing(pool, client, settings.topics, logger),
    ): KafkaPublisher => {
      const publisher = new KafkaPublisher(client, ready);
      ends.push(() => publisher.close());
      return publisher;
    },
    relay: (publisher: Publisher, more: Partial<RelayOptions> = {}): LeasedLoop => {
      const relay = createRelay({
        pool,
        reader: new LogReader(pool, notebook.upcasters),
        publisher,
        topics: settings.topics,
        metrics: metrics(),
        logger,
        ...more,
      });
      ends.push(() => relay.stop());
      return relay;
    },
    isPublished: async () => (await logLag(pool)).events === 0,
    cursor: async (): Promise<unknown> =>
      (await pool.query(`SELECT epoch, transaction_id, position FROM log_cursors`)).rows,
    end: async () => {
      for (const end of ends.reverse()) await end();
    },
  };
};

/**
 * A Kafka client that connects through the proxy, even if the brokers announce other hosts and
 * ports.
 */
export const kafkaThrough = (proxy: TcpProxy, requestTimeoutMs: number): Kafka =>
  new Kafka({
    brokers: [`127.0.0.1:${proxy.port}`],
    logLevel: logLevel.NOTHING,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 500,
    retry: { retries: 1, initialRetryTime: 20, maxRetryTime: 100 },
    socketFactory: ({ onConnect }) => connect({ host: '127.0.0.1', port: proxy.port }, onConnect),
  });

/** The host and port of the first broker, to which the proxy connects. */
export const brokerAddress = (): { host: string; port: number } => {
  const [host = '127.0.0.1', port = '9092'] = (kafkaBrokers()[0] ?? '').split(':');
  return { host, port: Number(port) };
};

/** All messages that the topic contains now, in order within each partition. */
export const readTopic = async (
  { kafka, settings }: Harness,
  streamType: 'order' | 'payment' = 'order',
): Promise<PublishedEvent[]> => {
  const topic = topicOf(streamType, settings.topics);
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const expected = ends.reduce((sum, { high }) => sum + Number(high), 0);
  const messages: PublishedEvent[] = [];
  if (expected === 0) return messages;
  const consumer = kafka.consumer({ groupId: uniqueName('reader'), maxWaitTimeInMs: 50 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      eachMessage: ({ message }) => {
        messages.push(publishedEvent(message));
        return Promise.resolve();
      },
    });
    await waitFor(() => messages.length >= expected, { timeoutMs: 15_000 });
  } finally {
    await consumer.disconnect();
  }
  return messages;
};

/** The event versions of each stream, in the order of their first occurrence in the messages. */
export const firstOccurrences = (messages: readonly PublishedEvent[]): Map<string, number[]> => {
  const streams = new Map<string, number[]>();
  for (const { streamId, version } of messages) {
    const known = streams.get(streamId) ?? [];
    if (!known.includes(version)) known.push(version);
    streams.set(streamId, known);
  }
  return streams;
};

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
