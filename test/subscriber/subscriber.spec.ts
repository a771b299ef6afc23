import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '#log';
import { encodeCloudEvent } from '#kafka';
import { waitFor } from '#testing';
import {
  eventOf,
  type Harness,
  history,
  lendServiceDatabases,
  startHarness,
  upTo,
} from './harness.js';

const databases = lendServiceDatabases();
let harness: Harness;
beforeEach(async () => {
  harness = await startHarness(databases);
});
afterEach(() => harness.end());

const texts = (count: number): string[] => upTo(count).map(String);

const send = (...streams: readonly (readonly RecordedEvent[])[]): Promise<void> =>
  harness.send(streams.flat().map(harness.encode));

const expectEffects = async (streams: readonly (readonly RecordedEvent[])[], count: number) => {
  for (const events of streams) {
    await waitFor(async () => (await harness.effects(events)).length >= count);
    expect(await harness.effects(events)).toEqual(texts(count));
  }
};

test('a second read of a topic from its beginning changes nothing', async () => {
  await harness.createTopics();
  const streams = upTo(10).map(() => history(...texts(5)));
  await send(...streams);
  const first = harness.subscriber('again');
  first.start();
  await expectEffects(streams, 5);
  await waitFor(async () => (await first.lag()) === 0);
  await first.stop();

  const admin = harness.kafka.admin();
  await admin.connect();
  await admin.resetOffsets({ groupId: first.groupId, topic: harness.topicOf(), earliest: true });
  await admin.disconnect();
  const second = harness.subscriber('again');
  expect(await second.lag()).toBe(50);
  second.start();
  await waitFor(async () => (await second.lag()) === 0);
  await expectEffects(streams, 5);
  expect(second.counts).toMatchObject({ handled: 0, repeated: 50 });
});

test('while processes that share the partitions start and stop, each event is handled once', async () => {
  await harness.createTopics();
  const streams = upTo(24).map(() => history(...texts(12)));
  const slowly = () => sleep(2);
  const writing = (async () => {
    for (let round = 0; round < 12; round += 1) {
      await send(streams.map((events) => events[round]).filter((one) => one !== undefined));
      await sleep(60);
    }
  })();
  const one = harness.subscriber('shared', slowly);
  one.start();
  await waitFor(async () => (await harness.effects(streams[0] ?? [])).length > 0);
  const two = harness.subscriber('shared', slowly, harness.newPool());
  two.start();
  await sleep(400);
  await one.stop();
  const three = harness.subscriber('shared', slowly, harness.newPool());
  three.start();
  await writing;
  await expectEffects(streams, 12);
});

test('a subscriber counts and drops unreadable messages, and handles all others', async () => {
  await harness.createTopics(1);
  const [events, other] = [history('1', '2'), history('1')];
  const [first, second] = events.map(harness.encode);
  if (!first || !second) throw new Error('two events were created');
  await harness.send([
    { topic: first.topic, key: 'unknown', value: 'x', headers: {} },
    { ...first, key: 'another key' },
    { ...first, value: '{' },
    first,
    { ...second, headers: {} },
    { ...second, headers: { ...second.headers, ce_source: '/payment-orchestrator/payment' } },
    { ...second, headers: { ...second.headers, ce_sequence: '9999999999' } },
    { ...second, key: 'a\0b', headers: { ...second.headers, ce_subject: 'a\0b' } },
    second,
  ]);
  await send(other);
  const subscriber = harness.subscriber('unclear');
  subscriber.start();
  await expectEffects([events], 2);
  await expectEffects([other], 1);
  expect(subscriber.counts).toMatchObject({ handled: 3, undecodable: 7, blocked: 0 });
});

test('a message that is lost on the topic leaves a gap in the versions, which blocks the message’s stream', async () => {
  await harness.createTopics(1);
  const events = history('1', '2', '3');
  const [first, second, third] = events.map(harness.encode);
  if (!first || !second || !third) throw new Error('three events were created');
  await harness.send([first, { ...second, headers: {} }, third]);
  const subscriber = harness.subscriber('lost');
  subscriber.start();
  await waitFor(async () => (await subscriber.blocked()).length === 1);
  expect(await subscriber.blocked()).toMatchObject([{ version: 2, reason: 'gap' }]);
  await harness.send([second]);
  await expectEffects([events], 3);
  await waitFor(async () => (await subscriber.blocked()).length === 0);
});

test('a blocked stream blocks no other stream, and continues after a retry or discard', async () => {
  await harness.createTopics(1);
  const poison = new Set(['bad']);
  const [sick, ill, sound] = [history('bad', 'later'), history('bad', 'later'), history('1', '2')];
  const subscriber = harness.subscriber('fragile', (text) => {
    if (poison.has(text)) throw new Error('poison');
  });
  subscriber.start();
  await send(sick, ill, sound);
  await expectEffects([sound], 2);
  await waitFor(async () => (await subscriber.lag()) === 0);
  const blocked = await subscriber.blocked();
  expect(blocked).toHaveLength(2);
  const metrics = await subscriber.metrics();
  expect(metrics).toContain(
    'subscriber_messages_total{subscriber="fragile",outcome="handled"} 2\n',
  );
  expect(metrics).toContain('subscriber_blocked_streams{subscriber="fragile"} 2\n');
  expect(metrics).toContain('subscriber_lag_messages{subscriber="fragile"} 0\n');
  const at = blocked.find(({ streamId }) => streamId === ill[0]?.streamId);
  if (!at) throw new Error('the stream is blocked');
  expect(await subscriber.discard(at, 'not ours')).toBeNull();
  poison.clear();
  expect(
    await subscriber.retry({ streamType: 'order', streamId: sick[0]?.streamId ?? '' }),
  ).toBeNull();
  expect(await harness.effects(sick)).toEqual(['bad', 'later']);
  expect(await harness.effects(ill)).toEqual(['later']);
});

test('offsets are committed after the events are handled, so that a crash loses no message', async () => {
  await harness.createTopics(1);
  const events = history('1');
  let begun = 0;
  const crashing = harness.subscriber('crash', async () => {
    begun += 1;
    await sleep(1_500);
    throw new Error('the process dies here');
  });
  crashing.start();
  await send(events);
  await waitFor(() => begun > 0);
  expect(await crashing.lag()).toBe(1);
  await crashing.stop();
  expect(await crashing.lag()).toBe(1);
  const next = harness.subscriber('crash');
  next.start();
  await expectEffects([events], 1);
  await waitFor(async () => (await next.lag()) === 0);
});

test('a subscriber can start before the topics exist, and reads them when they are created', async () => {
  const subscriber = harness.subscriber('early');
  subscriber.start();
  await sleep(500);
  await harness.createTopics();
  const events = history('1', '2');
  await send(events);
  await expectEffects([events], 2);
});

test('a subscriber receives the events of every stream type, each from its topic', async () => {
  await harness.createTopics();
  const payment = eventOf('pay_1', 1, null, { streamType: 'payment', type: 'PaymentAuthorized' });
  const wrongTopic = {
    ...harness.encode(eventOf('ord_1', 1, '1')),
    topic: harness.topicOf('payment'),
  };
  await harness.send([encodeCloudEvent(payment, { prefix: harness.prefix }), wrongTopic]);
  const subscriber = harness.subscriber('all', undefined, undefined, undefined, [
    'order',
    'payment',
  ]);
  subscriber.start();
  await waitFor(() => subscriber.counts.passed === 1 && subscriber.counts.undecodable === 1);
});

test('a stream whose block may be over is tried again when a subscriber starts, without a further message', async () => {
  await harness.createTopics(1);
  const events = history('1', '2').map((event) => ({ ...event, schemaVersion: 99 }));
  await harness.intake('upgraded').take(events);
  await harness.pool.query(
    `UPDATE subscriber_kept_events SET event = replace(event::text, ':99"', ':1"')::json`,
  );
  const subscriber = harness.subscriber('upgraded');
  subscriber.start();
  await expectEffects([events], 2);
  await waitFor(async () => (await subscriber.blocked()).length === 0);
});
