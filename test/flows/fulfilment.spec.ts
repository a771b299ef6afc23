import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import type pg from 'pg';
import type { RecordedEvent } from '#log';
import { assert, newId, type StreamType } from '#kernel';
import { encodeCloudEvent, isStreamType, TOPIC_NAMES, topicOf } from '#kafka';
import { specPool, waitFor } from '#testing';
import type { Shipment } from '../../examples/fulfilment/shipments.js';
import { CARDS } from '../../tools/stack/payer.js';
import { type Entry, Flow } from '../support/flow.js';

/**
 * Runs the fulfilment example, a subscribing service, with the whole product. Any client that may
 * write to a topic can forge an event. The orchestrator reads no topic, so a forged event cannot
 * move money. The subscribing service confirms each event in the event log, so it drops forged
 * events and ships nothing for them.
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
});
afterAll(async () => {
  await producer.disconnect();
  await pool.end();
  await flow.stop();
});

const service = () => {
  const { fulfilment } = flow.stack;
  assert(fulfilment !== null, 'the order was requested');
  return fulfilment;
};

const shipments = async (): Promise<readonly Shipment[]> => {
  const answer = await fetch(`${service().url}/shipments`);
  return ((await answer.json()) as { items: readonly Shipment[] }).items;
};

const shipmentOf = async (orderId: string): Promise<Shipment | undefined> =>
  (await shipments()).find((one) => one.orderId === orderId);

const metric = async (line: string): Promise<number> => {
  const text = await (await fetch(`${service().url}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(line));
  assert(found !== undefined, `${line} is shown`);
  return Number(found.split(' ').at(-1));
};

const countOf = (outcome: string): Promise<number> =>
  metric(`subscriber_messages_total{subscriber="fulfilment",outcome="${outcome}"}`);
const lag = (): Promise<number> => metric('subscriber_lag_messages');

const pay = async (orderId: string): Promise<void> => {
  const { payer, paymentId } = await flow.page(orderId);
  expect(await payer.pay(CARDS.plain)).toBe('confirm');
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(orderId, 'paid');
};

/** A forged `OrderPaid` event with every field of a true `OrderPaid` event. */
const forgedPaid = (
  orderId: string,
  version: number,
  amountMinor: number,
  eventId: string = randomUUID(),
): RecordedEvent => {
  const at = new Date().toISOString();
  return {
    cursor: { epoch: 1, transactionId: '700', position: '1' },
    streamType: 'order',
    streamId: orderId,
    version,
    eventId,
    type: 'OrderPaid',
    schemaVersion: 1,
    data: { paymentId: newId('pay'), amountMinor, currency: 'eur', at },
    metadata: {
      correlationId: orderId,
      causationId: randomUUID(),
      actor: 'saga:checkout',
      traceparent: null,
    },
    recordedAt: at,
  };
};

/**
 * Sends each event to every partition of every topic; returns how many copies of each event the
 * fulfilment service reads.
 */
const forge = async (events: readonly RecordedEvent[]): Promise<number> => {
  const prefix = flow.stack.topicPrefix;
  const admin = kafka.admin();
  await admin.connect();
  let copies = 0;
  for (const streamType of Object.keys(TOPIC_NAMES).filter(isStreamType)) {
    const topic = topicOf(streamType, { prefix });
    const partitions = await admin.fetchTopicOffsets(topic);
    const messages = events.flatMap((event) => {
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

const paidEntry = async (orderId: string): Promise<Entry> => {
  const entry = (await flow.timeline(orderId)).find(({ type }) => type === 'OrderPaid');
  assert(entry !== undefined, 'the order is paid');
  return entry;
};

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

const numberOf = async (sql: string): Promise<number> =>
  Number((await pool.query<{ n: string }>(sql)).rows[0]?.n);

/** The subscribing service's counters of messages, by result. */
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

test('forged events on every topic and partition change no order or payment and move no money', async () => {
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
    // If the orchestrator acted on this event, it would debit a payer's mandate for an order that
    // was never placed.
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
    // If the fulfilment service acted on these two events, it would ship an unpaid order and an
    // order that was never placed.
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
    // If the orchestrator acted on this event, it would mark an unpaid order as paid.
    {
      streamType: 'payment',
      streamId: openPaymentId,
      version: 3,
      orderId: open.id,
      type: 'CaptureAccepted',
      data: { amountMinor: 4_250 },
    },
    // If the orchestrator acted on these two events, it would capture and cancel an authorization
    // without the platform's request.
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
  const copies = await forge(forged.map(recorded));
  expect(copies).toBeGreaterThan(1);
  await untilServiceIsThrough();
  const serviceAfter = await serviceMetrics();
  const risen = (outcome: string): number =>
    (serviceAfter.get(outcome) ?? NaN) - (serviceBefore.get(outcome) ?? NaN);
  // How the fulfilment service counts the six forged events. It cannot decode two payment events,
  // because it reads only the topic of orders. Two events are not in the log of their order. Two
  // events name an order that does not exist.
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
  // The time within which the orchestrator would react to a message if it read the topics.
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
});

test('the fulfilment service ships a paid order once, and stops the shipment of a fully refunded order', async () => {
  const { id } = await flow.place();
  await waitFor(async () => (await countOf('passed')) > 0);
  expect(await shipmentOf(id)).toBeUndefined();
  await pay(id);
  const shipment = await waitFor(() => shipmentOf(id));
  expect(shipment).toMatchObject({ status: 'shipped', amountMinor: 4_250, currency: 'eur' });
  expect(shipment.steps.map(({ because }) => because)).toEqual(['OrderPaid']);

  await flow.stack.sandbox.advance('P1D');
  await flow.paymentIs(id, 'captured');
  expect((await flow.platform.refund(id)).status).toBe(202);
  await flow.stack.sandbox.advance('P2D');
  await waitFor(async () => (await shipmentOf(id))?.status === 'returned');
  const page = await (await fetch(service().url)).text();
  expect(page).toContain(id);
  expect(page).toContain('returned');
});

test('the fulfilment service counts forged messages, but neither ships nor changes anything in response', async () => {
  const { id: openId } = await flow.place();
  await flow.page(openId);
  await waitFor(async () => (await lag()) === 0);
  const { length: version } = (await flow.timeline(openId)).filter(
    ({ subjectType }) => subjectType === 'order',
  );
  const before = {
    unconfirmed: await countOf('unconfirmed'),
    foreign: await countOf('foreign'),
    shipments: await shipments(),
  };

  const copies = await forge([
    forgedPaid(newId('ord'), 1, 100_000),
    forgedPaid(openId, version + 1, 4_250),
    forgedPaid(openId, version + 2, 1),
    forgedPaid(openId, 2_000_000, 4_250),
  ]);
  expect(copies).toBeGreaterThan(1);
  await waitFor(async () => (await lag()) === 0);
  // Of the four forged events, one names an order that is not in the log; the other three name the
  // open order, whose log does not contain them.
  expect(await countOf('foreign')).toBe(before.foreign + copies);
  expect(await countOf('unconfirmed')).toBe(before.unconfirmed + 3 * copies);
  expect(await shipments()).toEqual(before.shipments);
  expect(await metric('subscriber_blocked_streams')).toBe(0);

  await pay(openId);
  expect(await waitFor(() => shipmentOf(openId))).toMatchObject({ amountMinor: 4_250 });
});

test('an event whose amount differs from the event log is ignored, even if it is read before the true event', async () => {
  const { id } = await flow.place();
  await waitFor(async () => (await lag()) === 0);
  await service().kill9();
  await pay(id);
  const { version, id: eventId } = await paidEntry(id);
  await forge([forgedPaid(id, version, 9_999_999, eventId)]);
  await service().restart();
  expect(await waitFor(() => shipmentOf(id))).toMatchObject({ amountMinor: 4_250 });
  await waitFor(async () => (await lag()) === 0);
  expect((await shipmentOf(id))?.steps).toHaveLength(1);
});

test('each order is shipped once even if the fulfilment service is killed repeatedly', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 8; count += 1) ids.push((await flow.place()).id);
  const paying = Promise.all(ids.map(pay));
  for (let kill = 0; kill < 4; kill += 1) {
    await sleep(300);
    await service().kill9();
    await service().restart();
  }
  await paying;
  for (const id of ids) {
    const { status, steps } = await waitFor(() => shipmentOf(id), { timeoutMs: 40_000 });
    expect({ status, steps: steps.map(({ step }) => step) }).toEqual({
      status: 'shipped',
      steps: ['shipped'],
    });
  }
  await waitFor(async () => (await lag()) === 0, { timeoutMs: 40_000 });
  const all = await shipments();
  expect(new Set(all.map(({ orderId }) => orderId)).size).toBe(all.length);
  expect(
    all.every(({ steps }) => steps.filter(({ step }) => step === 'shipped').length === 1),
  ).toBe(true);
});
