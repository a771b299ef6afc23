import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import type pg from 'pg';
import type { RecordedEvent } from '#log';
import { assert, newId, type StreamType } from '#kernel';
import { encodeCloudEvent, isStreamType, TOPIC_NAMES, topicOf } from '#kafka';
import { specPool, waitFor } from '#testing';
import { CARDS } from '../../tools/stack/payer.js';
import { Flow } from '../support/flow.js';

/**
 * Any client that may write to a topic can forge an event. The orchestrator publishes to the topics and
 * reads none of them, so no message moves money. A subscribing service confirms each event in the
 * log: it refuses each forged one and ships nothing for it.
 */

let flow: Flow;
let pool: pg.Pool;
let kafka: Kafka;
let producer: Producer;

beforeAll(async () => {
  flow = await Flow.start({ fulfilment: true });
  pool = specPool(flow.stack.databases.orchestrator, 2);
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
    ...rest,
    cursor: { epoch: 1, transactionId: '700', position: '1' },
    eventId: randomUUID(),
    schemaVersion: 1,
    data: { ...data, at },
    recordedAt: at,
    metadata: {
      correlationId: orderId,
      causationId: randomUUID(),
      actor: 'provider',
      traceparent: null,
    },
  };
};

/**
 * Produces every forged event on every topic and every partition; returns how many copies the
 * service reads.
 */
const produce = async (forged: readonly Forged[]): Promise<number> => {
  const prefix = flow.stack.topicPrefix;
  const admin = kafka.admin();
  await admin.connect();
  let copies = 0;
  for (const streamType of Object.keys(TOPIC_NAMES).filter(isStreamType)) {
    const topic = topicOf(streamType, { prefix });
    const partitions = await admin.fetchTopicOffsets(topic);
    const messages = forged.map(recorded).flatMap((event) => {
      const { key, value, headers } = encodeCloudEvent(event, { prefix });
      return partitions.map(({ partition }) => ({
        key,
        value,
        headers: { ...headers },
        partition,
      }));
    });
    await producer.send({ topic, messages });
    if (streamType === 'order') copies = partitions.length;
  }
  await admin.disconnect();
  return copies;
};

const numberOf = async (sql: string): Promise<number> =>
  Number((await pool.query<{ n: string }>(sql)).rows[0]?.n);

/** The subscribing service's metrics: its lag, and its messages by result. */
const serviceMetrics = async (): Promise<ReadonlyMap<string, number>> => {
  const text = await (await fetch(`${flow.stack.fulfilment?.url}/metrics`)).text();
  const lines = text.matchAll(/^subscriber_(\w+)\{[^}]*?(?:outcome="(\w+)")?\} (\d+)$/gm);
  return new Map(
    [...lines].map(([, name = '', outcome = name, value]) => [outcome, Number(value)]),
  );
};

const untilServiceIsThrough = async (): Promise<void> => {
  await waitFor(async () => (await serviceMetrics()).get('lag_messages') === 0, {
    timeoutMs: 30_000,
  });
};

const shipments = async (): Promise<unknown> =>
  (await fetch(`${flow.stack.fulfilment?.url}/shipments`)).json();

const OUTCOMES = [
  'undecodable',
  'unconfirmed',
  'foreign',
  'handled',
  'passed',
  'repeated',
  'kept',
  'blocked',
];

const intentsAtProvider = async (): Promise<number> => {
  const found = await flow.stack.sandbox.api('GET', '/v2/payment_intents');
  return (found['payment_intents'] as readonly object[]).length;
};

test('forged events on every topic and partition change nothing and move no money', async () => {
  const authorized = await flow.place({ capture: { policy: 'manual' } });
  const { payer, paymentId } = await flow.page(authorized.id);
  await payer.pay(CARDS.plain);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(authorized.id, 'authorized');
  const open = await flow.place();
  const { paymentId: openPaymentId } = await flow.page(open.id);

  const {
    rows: [placed],
  } = await pool.query<{ data: object }>(
    `SELECT data FROM events WHERE stream_id = $1 AND type = 'OrderPlaced'`,
    [open.id],
  );
  assert(placed !== undefined, 'an order is placed');
  const victim = newId('ord');
  const openVersion = await numberOf(
    `SELECT count(*) AS n FROM events WHERE stream_id = '${open.id}'`,
  );
  const orderVersion = await numberOf(
    `SELECT count(*) AS n FROM events WHERE stream_id = '${authorized.id}'`,
  );
  const paymentVersion = await numberOf(
    `SELECT count(*) AS n FROM events WHERE stream_id = '${paymentId}'`,
  );
  // All true events have been published and read.
  await waitFor(
    async () => {
      const metrics = await serviceMetrics();
      return (
        (metrics.get('passed') ?? 0) + (metrics.get('handled') ?? 0) ===
        (await numberOf(`SELECT count(*) AS n FROM events WHERE stream_type = 'order'`))
      );
    },
    { timeoutMs: 30_000 },
  );
  const serviceBefore = await serviceMetrics();
  const before = {
    events: await numberOf('SELECT count(*) AS n FROM events'),
    jobs: await numberOf('SELECT count(*) AS n FROM jobs WHERE subject_id IS NOT NULL'),
    intents: await intentsAtProvider(),
    shipments: await shipments(),
  };

  const forged: readonly Forged[] = [
    // Would debit a payer's mandate for an order that was never placed.
    {
      streamType: 'order',
      streamId: victim,
      version: 1,
      orderId: victim,
      type: 'OrderPlaced',
      data: {
        ...placed.data,
        amountMinor: 123_456_789,
        methods: ['sepa'],
        mandateId: `sepa_${'G'.repeat(24)}`,
      },
    },
    // Would ship an unpaid order, and one that was never placed.
    {
      streamType: 'order',
      streamId: open.id,
      version: openVersion + 1,
      orderId: open.id,
      type: 'OrderPaid',
      data: { paymentId: openPaymentId, amountMinor: 4_250, currency: 'eur' },
    },
    {
      streamType: 'order',
      streamId: victim,
      version: 2,
      orderId: victim,
      type: 'OrderPaid',
      data: { paymentId: newId('pay'), amountMinor: 123_456_789, currency: 'eur' },
    },
    // Would mark an unpaid order as paid.
    {
      streamType: 'payment',
      streamId: openPaymentId,
      version: 3,
      orderId: open.id,
      type: 'CaptureAccepted',
      data: { amountMinor: 4_250 },
    },
    // Would capture, and release, an authorization without the platform's request.
    {
      streamType: 'payment',
      streamId: paymentId,
      version: paymentVersion + 1,
      orderId: authorized.id,
      type: 'PaymentAuthorized',
      data: { attemptId: newId('paym'), expiresAt: '2099-01-01T00:00:00.000Z' },
    },
    {
      streamType: 'order',
      streamId: authorized.id,
      version: orderVersion + 1,
      orderId: authorized.id,
      type: 'OrderCancellationRequested',
      data: {},
    },
  ];
  const copies = await produce(forged);
  expect(copies).toBeGreaterThan(1);
  await untilServiceIsThrough();
  const serviceAfter = await serviceMetrics();
  const risen = (outcome: string): number =>
    (serviceAfter.get(outcome) ?? NaN) - (serviceBefore.get(outcome) ?? NaN);
  // Of the six forged events on the service's topic two name payments, two name orders in the log,
  // and two name an order that does not exist.
  expect(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, risen(outcome)]))).toEqual({
    undecodable: 2 * copies,
    unconfirmed: 2 * copies,
    foreign: 2 * copies,
    handled: 0,
    passed: 0,
    repeated: 0,
    kept: 0,
    blocked: 0,
  });
  // If the orchestrator reacted to a message, the reaction would happen within this time.
  await sleep(3_000);

  expect({
    events: await numberOf('SELECT count(*) AS n FROM events'),
    jobs: await numberOf('SELECT count(*) AS n FROM jobs WHERE subject_id IS NOT NULL'),
    intents: await intentsAtProvider(),
    shipments: await shipments(),
  }).toEqual(before);
  expect((await flow.read(open.id)).status).toBe('open');
  expect((await flow.read(authorized.id)).status).toBe('authorized');
  expect(await flow.intents(paymentId)).toMatchObject([{ status: 'authorized' }]);
}, 120_000);
