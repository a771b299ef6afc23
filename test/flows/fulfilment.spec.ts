import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import type { RecordedEvent } from '#log';
import { assert, newId } from '#kernel';
import { encodeCloudEvent, isStreamType, TOPIC_NAMES, topicOf } from '#kafka';
import { waitFor } from '#testing';
import type { Shipment } from '../../examples/fulfilment/shipments.js';
import { CARDS } from '../../tools/stack/payer.js';
import { type Entry, Flow } from '../support/flow.js';

/** Runs the subscriber example as another service on our topics, with the whole product. */

let flow: Flow;
let kafka: Kafka;
let producer: Producer;

beforeAll(async () => {
  flow = await Flow.start({ fulfilment: true });
  kafka = new Kafka({ brokers: [...flow.stack.brokers], logLevel: logLevel.NOTHING });
  producer = kafka.producer();
  await producer.connect();
}, 90_000);
afterAll(async () => {
  await producer.disconnect();
  await flow.stop();
}, 60_000);

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

/** A forged `OrderPaid` event that has every field of a true one. */
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
 * Produces the events on every topic and every partition; returns how many of them the service
 * reads.
 */
const forge = async (events: readonly RecordedEvent[]): Promise<number> => {
  const prefix = flow.stack.topicPrefix;
  const admin = kafka.admin();
  await admin.connect();
  let count = 0;
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
    if (streamType === 'order') count = messages.length;
  }
  await admin.disconnect();
  return count;
};

const paidEntry = async (orderId: string): Promise<Entry> => {
  const entry = (await flow.timeline(orderId)).find(({ type }) => type === 'OrderPaid');
  assert(entry !== undefined, 'the order is paid');
  return entry;
};

test('ships a paid order once, and stops the shipment when it is fully refunded', async () => {
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
}, 90_000);

test('ships nothing for forged messages, changes nothing, and counts them', async () => {
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

  const count = await forge([
    forgedPaid(newId('ord'), 1, 100_000),
    forgedPaid(openId, version + 1, 4_250),
    forgedPaid(openId, version + 2, 1),
    forgedPaid(openId, 2_000_000, 4_250),
  ]);
  expect(count).toBeGreaterThan(4);
  await waitFor(async () => (await lag()) === 0);
  // One of the four names an order that is not in the log.
  expect(await countOf('foreign')).toBe(before.foreign + count / 4);
  expect(await countOf('unconfirmed')).toBe(before.unconfirmed + (count * 3) / 4);
  expect(await shipments()).toEqual(before.shipments);
  expect(await metric('subscriber_blocked_streams')).toBe(0);

  await pay(openId);
  expect(await waitFor(() => shipmentOf(openId))).toMatchObject({ amountMinor: 4_250 });
}, 90_000);

test('ignores an event whose amount differs from the event log, even when it is read before the true one', async () => {
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
}, 90_000);

test('ships each order once while the service is killed repeatedly', async () => {
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
}, 150_000);
