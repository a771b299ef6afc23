import { connect } from 'node:net';
import { Kafka, logLevel } from 'kafkajs';
import {
  type Feed,
  type Handlers,
  type Logger,
  PostgresStore,
  type StreamRef,
  Subscriber,
  type SubscriberOptions,
} from 'payment-orchestrator-subscriber';
import pg from 'pg';
import type { RecordedEvent } from '#log';
import { newId, type StreamType } from '#kernel';
import { encodeCloudEvent, type OutgoingMessage, TOPIC_NAMES } from '#kafka';
import { createLogger } from '#platform';
import { createTopics, kafkaBrokers, lendDatabases, openDatabase, uniqueName } from '#testing';
import { Intake } from '../../packages/subscriber/intake.js';
import { noCounts } from '../../packages/subscriber/counts.js';
import { decodeMessage } from '../../packages/subscriber/decode.js';
import type { TcpProxy } from '../messaging/tcp-proxy.js';

const AT = '2026-03-01T12:00:00.000Z';

export const never = new AbortController().signal;

/**
 * An event of a stream. A text creates an `OrderFailed` event with the text as its reason, which
 * the handler of these specs handles; null creates an event of a type without a handler.
 */
export const eventOf = (
  streamId: string,
  version: number,
  text: string | null,
  changes: Partial<RecordedEvent> = {},
): RecordedEvent => ({
  cursor: { epoch: 1, transactionId: '700', position: '12' },
  streamType: 'order',
  streamId,
  version,
  eventId: `${streamId}-${version}`,
  type: text === null ? 'OrderAuthorized' : 'OrderFailed',
  schemaVersion: 1,
  data: text === null ? { paymentId: 'pay_1', at: AT } : { reason: text, at: AT },
  metadata: {
    correlationId: streamId,
    causationId: 'cau',
    actor: 'platform:test',
    traceparent: null,
  },
  recordedAt: AT,
  ...changes,
});

/**
 * The events of a new stream from version 1. Each text is the content of one event; null stands for
 * an event whose type has no handler.
 */
export const history = (...texts: readonly (string | null)[]): readonly RecordedEvent[] => {
  const streamId = newId('ord');
  return texts.map((text, index) => eventOf(streamId, index + 1, text));
};

export const streamIdOf = (events: readonly RecordedEvent[]): string => events[0]?.streamId ?? '';

export const refOf = (events: readonly RecordedEvent[]): StreamRef => ({
  streamType: 'order',
  streamId: streamIdOf(events),
});

export type Harness = Awaited<ReturnType<typeof startHarness>>;

type Before = (text: string) => Promise<void> | void;

/**
 * A handler that inserts one row for each call, so that an event that was handled twice has two
 * rows.
 */
const writing = (before: Before = () => undefined): Handlers<pg.PoolClient> => ({
  OrderFailed: async ({ subject, data }, tx) => {
    await before(data.reason);
    await tx.query('INSERT INTO effects (stream_id, text) VALUES ($1, $2)', [subject, data.reason]);
  },
});

/** The default number of attempts, but short delays, because no spec tests the delays. */
const SHORT_WAITS = {
  retry: { firstMs: 5, maxMs: 40 },
  transient: { firstMs: 5, maxMs: 100 },
};

const poolOf = (connectionString: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString, max: 10 });
  // Errors of idle connections are ignored, because specs close connections on purpose.
  pool.on('error', () => undefined);
  return pool;
};

const openServiceDatabase = () =>
  openDatabase(undefined, async ({ url }) => {
    const admin = poolOf(url);
    await admin.query(
      'CREATE TABLE effects (id serial PRIMARY KEY, stream_id text NOT NULL, text text NOT NULL)',
    );
    await new PostgresStore(admin, 'any').prepare();
    return { admin };
  });

/** The databases of a spec file that starts a harness for each of its tests. */
export const lendServiceDatabases = () => {
  const databases = lendDatabases(openServiceDatabase);
  afterAll(() => databases.end());
  return databases;
};

/**
 * Takes the empty database of a subscribing service, and topics with a unique prefix; `end` stops
 * all.
 */
export const startHarness = async (databases?: ReturnType<typeof lendServiceDatabases>) => {
  const database = await (databases === undefined ? openServiceDatabase() : databases.lend());
  const { admin: pool } = database.pools;
  const ends: (() => Promise<unknown>)[] = [() => database.close()];
  const newPool = (): pg.Pool => {
    const own = poolOf(database.url);
    ends.push(() => own.end());
    return own;
  };
  const prefix = `${uniqueName('t')}.`;
  const kafka = new Kafka({
    brokers: kafkaBrokers(),
    logLevel: logLevel.NOTHING,
    retry: { retries: 2, initialRetryTime: 50 },
  });
  const logger: Logger = createLogger('test', { level: process.env['SPEC_LOG'] ?? 'silent' });
  const producer = kafka.producer();
  await producer.connect();
  ends.push(() => producer.disconnect());
  const encode = (event: RecordedEvent): OutgoingMessage => encodeCloudEvent(event, { prefix });

  const settingsOf = (
    subscriber: string,
    before?: Before,
    over: pg.Pool = pool,
    confirm?: Feed,
  ): SubscriberOptions<pg.PoolClient> => ({
    kafka,
    streams: ['order'],
    handlers: writing(before),
    logger,
    topicPrefix: prefix,
    store: new PostgresStore(over, subscriber),
    sessionTimeoutMs: 6_000,
    ...(confirm === undefined ? {} : { confirm }),
  });

  return {
    pool,
    newPool,
    prefix,
    kafka,
    producer,
    encode,
    logger,
    database,
    topicOf: (streamType: StreamType = 'order') => `${prefix}${TOPIC_NAMES[streamType]}`,
    /** Registers a cleanup; cleanups run in reverse order of registration. */
    onEnd: (end: () => Promise<unknown>) => ends.push(end),
    createTopics: async (partitions = 3): Promise<void> => {
      const admin = kafka.admin();
      await admin.connect();
      await createTopics(
        admin,
        Object.values(TOPIC_NAMES).map((name) => ({
          topic: `${prefix}${name}`,
          numPartitions: partitions,
        })),
      );
      await admin.disconnect();
    },
    send: async (messages: readonly OutgoingMessage[]): Promise<void> => {
      for (const { topic, key, value, headers } of messages) {
        await producer.send({ topic, messages: [{ key, value, headers }] });
      }
    },
    subscriber: (
      name: string,
      before?: Before,
      over?: pg.Pool,
      confirm?: Feed,
      streams: readonly StreamType[] = ['order'],
    ) => {
      const settings = settingsOf(name, before, over, confirm);
      const subscriber = new Subscriber({ ...settings, streams });
      ends.push(() => subscriber.stop());
      return subscriber;
    },
    /** A subscriber's message handling without a broker: specs pass messages to it directly. */
    intake: (name: string, before?: Before, over?: pg.Pool, confirm?: Feed) => {
      const { confirm: feed = null, ...settings } = settingsOf(name, before, over, confirm);
      const counts = noCounts();
      const warnings: object[] = [];
      const warn: Logger['warn'] = (fields, message) => {
        warnings.push(fields);
        logger.warn(fields, message);
      };
      const listening = Object.assign(Object.create(logger) as Logger, { warn });
      const intake = new Intake({
        ...settings,
        logger: listening,
        feed,
        counts,
        waits: SHORT_WAITS,
      });
      return {
        counts,
        warnings,
        store: settings.store,
        take: (events: readonly RecordedEvent[], signal = never) =>
          intake.take(
            events.map((event) => decodeMessage(encode(event), 'order')),
            signal,
          ),
        intake,
      };
    },
    /** The texts that were committed for a stream, in order. */
    effects: async (events: readonly RecordedEvent[]): Promise<string[]> => {
      const { rows } = await pool.query<{ text: string }>(
        'SELECT text FROM effects WHERE stream_id = $1 ORDER BY id',
        [streamIdOf(events)],
      );
      return rows.map(({ text }) => text);
    },
    /** The version up to which the subscriber has handled a stream; null for an unknown stream. */
    version: async (
      subscriber: string,
      events: readonly RecordedEvent[],
    ): Promise<number | null> => {
      const { rows } = await pool.query<{ version: number }>(
        'SELECT version FROM subscriber_streams WHERE subscriber = $1 AND stream_id = $2',
        [subscriber, streamIdOf(events)],
      );
      return rows[0]?.version ?? null;
    },
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

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
