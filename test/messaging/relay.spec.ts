import { setTimeout as sleep } from 'node:timers/promises';
import { createKafka, KafkaPublisher, type OutgoingMessage, type Publisher } from '#kafka';
import { waitFor } from '#testing';
import {
  brokerAddress,
  firstOccurrences,
  type Harness,
  lendHarnessDatabases,
  kafkaThrough,
  readTopic,
  startHarness,
  upTo,
} from './harness.js';
import { lostAcks, TcpProxy } from './tcp-proxy.js';

const databases = lendHarnessDatabases();
let harness: Harness;
beforeEach(async () => {
  harness = await startHarness({}, databases);
});
afterEach(() => harness.end());

/**
 * Calls `wrap` for each batch instead of publishing it. `wrap` decides when the real publisher
 * publishes the batch.
 */
const around = (
  inner: Publisher,
  wrap: (publish: () => Promise<void>, batch: readonly OutgoingMessage[]) => Promise<void>,
): Publisher => ({
  publish: (batch) => wrap(() => inner.publish(batch), batch),
  close: () => inner.close(),
});

const write = async (streams: readonly string[], rounds: number): Promise<void> => {
  await Promise.all(
    streams.map(async (id) => {
      for (let round = 0; round < rounds; round += 1) await harness.note(id, `${round}`);
    }),
  );
};

const newStreams = (count: number): string[] => upTo(count).map(() => harness.newStream());

const expectAllPublished = async (streams: readonly string[], versions: number): Promise<void> => {
  const published = firstOccurrences(await readTopic(harness));
  for (const id of streams) expect(published.get(id)).toEqual(upTo(versions));
};

test('with concurrent writers, the relay publishes the events of each stream in version order', async () => {
  const relay = harness.relay(harness.publisher());
  relay.start();
  const streams = newStreams(30);
  await write(streams, 20);
  await waitFor(() => harness.isPublished());
  await expectAllPublished(streams, 20);
  // The relay repeats a send that is not acknowledged in time: messages may be repeated but not
  // reordered.
  expect(new Set((await readTopic(harness)).map(({ eventId }) => eventId)).size).toBe(600);
});

test('the relay publishes a whole batch again, unchanged, when only a part of the batch was published', async () => {
  let lost: readonly OutgoingMessage[] | null = null;
  let repeated: readonly OutgoingMessage[] | null = null;
  const publisher = around(harness.publisher(), async (publish, batch) => {
    await publish();
    if (lost === null) {
      lost = batch;
      await harness.note(streams[0] ?? '', 'written meanwhile');
      throw new Error('the acknowledgement was lost');
    }
    repeated ??= batch;
  });
  const relay = harness.relay(publisher);
  const streams = newStreams(3);
  await write(streams, 2);
  relay.start();
  await waitFor(() => harness.isPublished());
  expect(repeated).toEqual(lost);
  await expectAllPublished(streams.slice(1), 2);
  await expectAllPublished(streams.slice(0, 1), 3);
});

test('a relay that dies between the acknowledgement and the move of its cursor causes only repeated messages', async () => {
  const { hostname, port } = new URL(harness.database.url);
  const proxy = await TcpProxy.start({ host: hostname, port: Number(port) });
  const url = new URL(harness.database.urlFor('worker'));
  url.port = String(proxy.port);
  const cutOff = harness.newPool(url.toString());
  let repeated = 0;
  const publisher = around(harness.publisher(), async (publish, batch) => {
    await publish();
    repeated += batch.length;
    proxy.cut();
  });
  const streams = newStreams(4);
  await write(streams, 5);
  const dying = harness.relay(publisher, { pool: cutOff, leaseTtlMs: 600 });
  harness.onEnd(() => proxy.end());
  dying.start();
  await waitFor(() => dying.failing);
  const heir = harness.relay(harness.publisher(), { leaseTtlMs: 600 });
  heir.start();
  await waitFor(() => harness.isPublished());
  await write(streams, 1);
  await waitFor(() => harness.isPublished());
  await expectAllPublished(streams, 6);
  // The first batch may lack events: a transaction elsewhere on the server hides them for a moment.
  expect(repeated).toBeGreaterThan(0);
  expect(await readTopic(harness)).toHaveLength(repeated + 24);
  await dying.stop();
});

test('a relay that has lost its lease publishes no further batch and moves no cursor', async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let batches = 0;
  const slow = around(harness.publisher(), async (publish) => {
    batches += 1;
    await gate;
    await publish();
  });
  const streams = newStreams(2);
  await write(streams, 3);
  const loser = harness.relay(slow);
  loser.start();
  await waitFor(() => batches === 1);
  await harness.pool.query("UPDATE leases SET expires_at = clock_timestamp() WHERE name = 'relay'");
  const winner = harness.relay(harness.publisher());
  winner.start();
  await waitFor(() => harness.isPublished());
  await write(streams, 2);
  await waitFor(() => harness.isPublished());
  const reached = await harness.cursor();
  open();
  await sleep(300);
  expect(await harness.cursor()).toEqual(reached);
  expect(batches).toBe(1);
  await expectAllPublished(streams, 5);
});

test('a relay whose cursor is at an earlier position, as on a promoted standby, publishes the events after this position', async () => {
  const relay = harness.relay(harness.publisher());
  relay.start();
  const [stream = ''] = newStreams(1);
  await write([stream], 2);
  await waitFor(() => harness.isPublished());
  const before = (await readTopic(harness)).length;
  await harness.pool.query(
    "UPDATE log_cursors SET epoch = 0, transaction_id = '0', position = 0 WHERE name = 'relay'",
  );
  relay.wake();
  await waitFor(() => harness.isPublished());
  const messages = await readTopic(harness);
  expect(messages).toHaveLength(2 * before);
  await expectAllPublished([stream], 2);
});

test('when an acknowledgement is lost while further batches wait, no event is lost or published out of order', async () => {
  const { state, filter } = lostAcks();
  const proxy = await TcpProxy.start(brokerAddress(), filter);
  harness.onEnd(() => proxy.end());
  const publisher = new KafkaPublisher(kafkaThrough(proxy, 400), harness.prepare);
  harness.onEnd(() => publisher.close());
  const relay = harness.relay(publisher);
  relay.start();
  const streams = newStreams(5);
  await write(streams, 1);
  await waitFor(() => harness.isPublished());
  for (let loss = 0; loss < 3; loss += 1) {
    state.armed = 1;
    await write(streams, 4);
    await waitFor(() => state.lost === loss + 1);
  }
  await waitFor(() => harness.isPublished());
  await expectAllPublished(streams, 13);
  expect((await readTopic(harness)).length).toBeGreaterThan(65);
});

// When kafkajs repeats a send, it skips the brokers that have acknowledged their part. If such a
// broker has meanwhile become the leader of another partition, that partition's messages would be
// lost.
test('the publisher reports a failed send, and the Kafka client does not repeat it', async () => {
  const { state, filter } = lostAcks();
  const proxy = await TcpProxy.start(brokerAddress(), filter);
  harness.onEnd(() => proxy.end());
  const publisher = new KafkaPublisher(kafkaThrough(proxy, 2_000), harness.prepare);
  harness.onEnd(() => publisher.close());
  const topic = `${harness.settings.topics.prefix}orders.v1`;
  const publish = () => publisher.publish([{ topic, key: 'ord_1', value: '{}', headers: {} }]);
  await publish();
  state.armed = 10;
  await expect(publish()).rejects.toThrow();
  expect(state.lost).toBe(1);
  state.armed = 0;
  await publish();
});

test('the relay publishes through the one broker that responds, while three others accept connections but never respond', async () => {
  const silent = await TcpProxy.start(brokerAddress(), () => false);
  harness.onEnd(() => silent.end());
  const brokers = [...upTo(3).map(() => `127.0.0.1:${silent.port}`), ...harness.settings.brokers];
  const kafka = createKafka({ ...harness.settings, brokers }, 'test', harness.logger);
  const relay = harness.relay(harness.publisher(kafka));
  relay.start();
  const streams = newStreams(2);
  await write(streams, 2);
  await waitFor(() => harness.isPublished(), { timeoutMs: 8_000 });
  await expectAllPublished(streams, 2);
});

test('the relay keeps its cursor while Kafka is unavailable, and then publishes everything in order', async () => {
  const proxy = await TcpProxy.start(brokerAddress());
  harness.onEnd(() => proxy.end());
  const publisher = new KafkaPublisher(kafkaThrough(proxy, 1_000), harness.prepare);
  harness.onEnd(() => publisher.close());
  const relay = harness.relay(publisher);
  relay.start();
  const streams = newStreams(5);
  await write(streams, 2);
  await waitFor(() => harness.isPublished());
  proxy.cut();
  await write(streams, 3);
  await waitFor(() => relay.failing);
  expect(await harness.isPublished()).toBe(false);
  proxy.restore();
  await waitFor(() => harness.isPublished());
  expect(relay.failing).toBe(false);
  await expectAllPublished(streams, 5);
});

// The events together are larger than 1 MB, which is the most that the broker accepts in one send
// to a partition.
test('the relay splits a batch of large events into sends of a size that the broker accepts', async () => {
  const relay = harness.relay(harness.publisher());
  const [id = ''] = newStreams(1);
  const large = 'ä'.repeat(15_000);
  for (let round = 0; round < 4; round += 1) await harness.note(id, ...upTo(25).map(() => large));
  relay.start();
  await waitFor(() => harness.isPublished(), { timeoutMs: 10_000 });
  await expectAllPublished([id], 100);
  expect(await readTopic(harness)).toHaveLength(100);
});
