import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import pg from 'pg';
import type { RecordedEvent, StreamType } from '#event-store';
import { assert, newId } from '#kernel';
import { encodeCloudEvent, isStreamType, TOPIC_NAMES, topicOf } from '#messaging';
import { waitFor } from '#testing';
import { CARDS } from '../../tools/stack/payer.js';
import { Flow } from '../support/flow.js';

/**
 * Anyone who may write to a topic can forge an event. The orchestrator publishes to the topics and
 * reads none of them: no message moves money. Another service counts the forged ones.
 */

let flow: Flow;
let pool: pg.Pool;
let kafka: Kafka;
let producer: Producer;

beforeAll(async () => {
  flow = await Flow.start({ fulfilment: true });
  pool = new pg.Pool({ connectionString: flow.stack.databases.orchestrator, max: 2 });
  pool.on('error', () => undefined);
  kafka = new Kafka({ brokers: [...flow.stack.brokers], logLevel: logLevel.NOTHING });
  producer = kafka.producer();
  await producer.connect();
}, 90_000);
afterAll(async () => {
  await producer.disconnect();
  await pool.end();
  await flow.stop();
}, 60_000);

interface Forged {
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly version: number;
  readonly orderId: string;
  readonly type: string;
  readonly data: object;
}

const recorded = ({ orderId, data, ...rest }: Forged): RecordedEvent => {
  const at = new Date().toISOString();
  return {
    ...rest, cursor: { epoch: 1, transactionId: '700', position: '1' }, eventId: randomUUID(),
    schemaVersion: 1, data: { ...data, at }, recordedAt: at,
    metadata: {
      correlationId: orderId, causationId: randomUUID(), actor: 'provider', traceparent: null,
    },
  };
};

/** Every forged event on every topic and every partition; the count of those on one topic. */
const produce = async (forged: readonly Forged[]): Promise<number> => {
  const prefix = flow.stack.topicPrefix;
  const admin = kafka.admin();
  await admin.connect();
  let count = 0;
  for (const streamType of Object.keys(TOPIC_NAMES).filter(isStreamType)) {
    const topic = topicOf(streamType, { prefix });
    const partitions = await admin.fetchTopicOffsets(topic);
    const messages = forged.map(recorded).flatMap((event) => {
      const { key, value, headers } = encodeCloudEvent(event, { prefix });
      return partitions.map(({ partition }) => ({ key, value, headers: { ...headers }, partition }));
    });
    await producer.send({ topic, messages });
    count = messages.length;
  }
  await admin.disconnect();
  return count;
};

const numberOf = async (sql: string): Promise<number> =>
  Number((await pool.query<{ n: string }>(sql)).rows[0]?.n);

const refusedByOthers = async (): Promise<number> => {
  const text = await (await fetch(`${flow.stack.fulfilment?.url}/metrics`)).text();
  return [...text.matchAll(/outcome="(?:unconfirmed|undecodable)"\} (\d+)/g)]
    .reduce((sum, [, count]) => sum + Number(count), 0);
};

const intentsAtProvider = async (): Promise<number> => {
  const found = await flow.stack.sandbox.api('GET', '/v2/payment_intents');
  return (found['payment_intents'] as readonly object[]).length;
};

test('forged events on every topic and partition change nothing and move no money', async () => {
  const authorized = await flow.place({ capture: { policy: 'manual' } });
  const { payer, paymentId } = await flow.page(authorized.id);
  await payer.pay(CARDS.plain);
  await flow.platform.pageFinished(paymentId);
  await flow.orderIs(authorized.id, 'authorized');
  const open = await flow.place();
  const { paymentId: openPaymentId } = await flow.page(open.id);

  const { rows: [placed] } = await pool.query<{ data: object }>(
    `SELECT data FROM events WHERE stream_id = $1 AND type = 'OrderPlaced'`, [open.id]);
  assert(placed !== undefined, 'an order is placed');
  const victim = newId('ord');
  const orderVersion = await numberOf(
    `SELECT count(*) AS n FROM events WHERE stream_id = '${authorized.id}'`);
  const paymentVersion = await numberOf(
    `SELECT count(*) AS n FROM events WHERE stream_id = '${paymentId}'`);
  const before = {
    events: await numberOf('SELECT count(*) AS n FROM events'),
    jobs: await numberOf('SELECT count(*) AS n FROM effects'),
    intents: await intentsAtProvider(), refused: await refusedByOthers(),
  };

  const forged: readonly Forged[] = [
    // Would debit a payer's mandate for an order that was never placed.
    {
      streamType: 'order', streamId: victim, version: 1, orderId: victim, type: 'OrderPlaced',
      data: {
        ...placed.data, amountMinor: 123_456_789, methods: ['sepa'],
        mandateId: `sepa_${'G'.repeat(24)}`,
      },
    },
    // Would make an order paid that is not.
    {
      streamType: 'payment', streamId: openPaymentId, version: 3, orderId: open.id,
      type: 'CaptureAccepted', data: { amountMinor: 4_250 },
    },
    // Would capture, and release, an authorization without its platform.
    {
      streamType: 'payment', streamId: paymentId, version: paymentVersion + 1,
      orderId: authorized.id, type: 'PaymentAuthorized',
      data: { attemptId: newId('paym'), expiresAt: '2099-01-01T00:00:00.000Z' },
    },
    {
      streamType: 'order', streamId: authorized.id, version: orderVersion + 1,
      orderId: authorized.id, type: 'OrderCancellationRequested', data: {},
    },
  ];
  const count = await produce(forged);
  expect(count).toBeGreaterThan(forged.length);
  // By then another consumer has seen them all; ours had as long.
  await waitFor(async () => await refusedByOthers() > before.refused, { timeoutMs: 30_000 });
  await sleep(3_000);

  expect({
    events: await numberOf('SELECT count(*) AS n FROM events'),
    jobs: await numberOf('SELECT count(*) AS n FROM effects'),
    intents: await intentsAtProvider(),
  }).toEqual({ events: before.events, jobs: before.jobs, intents: before.intents });
  expect((await flow.read(open.id)).status).toBe('open');
  expect((await flow.read(authorized.id)).status).toBe('authorized');
  expect(await flow.intents(paymentId)).toMatchObject([{ status: 'authorized' }]);
}, 120_000);
