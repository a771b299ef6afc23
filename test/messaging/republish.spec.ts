import { setTimeout as sleep } from 'node:timers/promises';
import { LogReader } from '#log';
import { Lease, type Publisher, republish, type RepublishOptions, topicOf } from '#kafka';
import { waitFor } from '#testing';
import {
  firstOccurrences,
  type Harness,
  lendHarnessDatabases,
  notebook,
  readTopic,
  startHarness,
  upTo,
} from './harness.js';

const databases = lendHarnessDatabases();
let harness: Harness;
beforeEach(async () => {
  harness = await startHarness({}, databases);
});
afterEach(() => harness.end());

const republishOrders = (waitMs = 20_000, more: Partial<RepublishOptions> = {}) =>
  republish({
    pool: harness.pool,
    reader: new LogReader(harness.pool, notebook.upcasters),
    publisher: harness.publisher(harness.kafka, () => Promise.resolve()),
    topics: harness.settings.topics,
    streamType: 'order',
    waitMs,
    kafka: harness.kafka,
    logger: harness.logger,
    onProgress: () => undefined,
    ...more,
  });

test('republishing a topic repeats a send that failed', async () => {
  const id = harness.newStream();
  await harness.note(id, 'a', 'b');
  const relay = harness.relay(harness.publisher());
  relay.start();
  await waitFor(() => harness.isPublished());
  await relay.stop();
  await deleteOrders();
  const inner = harness.publisher(harness.kafka, () => Promise.resolve());
  let sends = 0;
  const failsOnce: Publisher = {
    publish: (batch) => {
      sends += 1;
      return sends === 1 ? Promise.reject(new Error('the leader changes')) : inner.publish(batch);
    },
    close: () => inner.close(),
  };
  expect(await republishOrders(20_000, { publisher: failsOnce })).toBe(2);
  expect(firstOccurrences(await readTopic(harness)).get(id)).toEqual(upTo(2));
});

test('the relay continues after a lost topic was republished from the event log', async () => {
  const ids = upTo(3).map(() => harness.newStream());
  for (const id of ids) await harness.note(id, 'a', 'b');
  const relay = harness.relay(harness.publisher());
  relay.start();
  await waitFor(() => harness.isPublished());
  await expect(republishOrders(0)).rejects.toMatchObject({ code: 'relay_running' });
  await relay.stop();

  await deleteOrders();
  await harness.note(ids[0] ?? '', 'not yet published');
  expect(await republishOrders()).toBe(6);

  const next = harness.relay(harness.publisher());
  next.start();
  await waitFor(() => harness.isPublished());
  const versions = firstOccurrences(await readTopic(harness));
  expect(ids.map((id) => versions.get(id))).toEqual([
    [1, 2, 3],
    [1, 2],
    [1, 2],
  ]);
});

const deleteOrders = async (): Promise<void> => {
  const admin = harness.kafka.admin();
  await admin.connect();
  const topic = topicOf('order', harness.settings.topics);
  await admin.deleteTopics({ topics: [topic] });
  // The broker acknowledges the deletion of a topic before the messages are deleted.
  await waitFor(async () => !(await admin.listTopics()).includes(topic));
  await admin.disconnect();
};

test('republishing refuses a topic that contains messages, because subscribers would drop repeated messages', async () => {
  const id = harness.newStream();
  await published(id, 'a', 'b', 'c');
  const before = await readTopic(harness);
  await expect(republishOrders()).rejects.toMatchObject({
    code: 'topic_not_empty',
    message: expect.stringContaining('--delete --topic'),
  });
  expect(await readTopic(harness)).toEqual(before);
});

test.each([
  ['deleted', () => Promise.resolve()],
  ['deleted and created again', () => harness.prepare()],
])('the relay stops when a topic was %s, until the topic is republished', async (_what, then) => {
  const [id, other] = [harness.newStream(), harness.newStream()];
  await published(id, 'a', 'b');
  await deleteOrders();
  await then();
  await harness.note(id, 'c');
  await harness.note(other, 'a');
  const relay = harness.relay(harness.publisher());
  relay.start();
  await waitFor(() => relay.failing && /was lost/.test(relay.failure ?? ''));
  expect(relay.failure).toContain('npm run relay -- republish order --reason "…"');
  await relay.stop();
  const admin = harness.kafka.admin();
  await admin.connect();
  const topic = topicOf('order', harness.settings.topics);
  const isThere = (await admin.listTopics()).includes(topic);
  if (isThere) {
    expect((await admin.fetchTopicOffsets(topic)).every(({ high }) => high === '0')).toBe(true);
  }
  await admin.disconnect();

  expect(await republishOrders()).toBe(2);
  const next = harness.relay(harness.publisher());
  next.start();
  await waitFor(() => harness.isPublished());
  const versions = firstOccurrences(await readTopic(harness));
  expect([versions.get(id), versions.get(other)]).toEqual([upTo(3), [1]]);
});

test('the relay waits until an interrupted republishing has been completed', async () => {
  const id = harness.newStream();
  await published(id, 'a', 'b');
  await deleteOrders();
  const publisher = harness.publisher(harness.kafka, () => Promise.resolve());
  const dying: Publisher = {
    publish: async (batch) => {
      await publisher.publish(batch.slice(0, 1));
      throw new Error('cut off');
    },
    close: () => publisher.close(),
  };
  await expect(republishOrders(20_000, { publisher: dying })).rejects.toThrow();
  const relay = harness.relay(harness.publisher());
  await harness.note(id, 'c');
  relay.start();
  await waitFor(() => /was lost/.test(relay.failure ?? ''));
});

test('shards that share a lost topic republish it one after another, each its own log', async () => {
  const other = await startHarness({ topics: harness.settings.topics }, databases);
  try {
    const [own, others] = [harness.newStream(), other.newStream()];
    await harness.note(own, 'a', 'b');
    await other.note(others, 'a', 'b', 'c');
    const shards = [harness, other];
    const published = () =>
      waitFor(async () =>
        (await Promise.all(shards.map((one) => one.isPublished()))).every(Boolean),
      );
    const before = shards.map((one) => one.relay(one.publisher()));
    for (const relay of before) relay.start();
    await published();
    for (const relay of before) await relay.stop();
    await deleteOrders();

    const ofOther = {
      pool: other.pool,
      reader: new LogReader(other.pool, notebook.upcasters),
      publisher: other.publisher(other.kafka, () => Promise.resolve()),
    };
    expect(await republishOrders()).toBe(2);
    await other.note(others, 'not yet published');
    const early = other.relay(other.publisher());
    early.start();
    await waitFor(() => /was lost/.test(early.failure ?? ''));
    await early.stop();
    await expect(republishOrders(20_000, ofOther)).rejects.toMatchObject({
      code: 'topic_not_empty',
      message: expect.stringContaining('--shared'),
    });
    expect(await republishOrders(20_000, { ...ofOther, isShared: true })).toBe(3);
    await expect(republishOrders(20_000, { ...ofOther, isShared: true })).rejects.toMatchObject({
      code: 'topic_not_empty',
    });

    await harness.note(own, 'c');
    for (const one of shards) one.relay(one.publisher()).start();
    await published();
    const versions = firstOccurrences(await readTopic(harness));
    expect([versions.get(own), versions.get(others)]).toEqual([upTo(3), upTo(4)]);
  } finally {
    await other.end();
  }
});

/** A publisher that runs a slow function for each batch and publishes nothing. */
const slowly = (publishing: () => Promise<void>): Publisher => ({
  publish: publishing,
  close: () => Promise.resolve(),
});

const published = async (id: string, ...texts: string[]): Promise<void> => {
  await harness.note(id, ...texts);
  const relay = harness.relay(harness.publisher());
  relay.start();
  await waitFor(() => harness.isPublished());
  await relay.stop();
};

const TTL_MS = 5_000;

test('republishing keeps the relay’s lease even if one chunk takes longer than the lease’s duration', async () => {
  await published(harness.newStream(), 'a');
  await deleteOrders();
  const rival = new Lease(harness.pool, 'relay', 'rival', TTL_MS);
  const seen: unknown[] = [];
  const publisher = slowly(async () => {
    for (const begunAtMs = performance.now(); performance.now() - begunAtMs < 1.5 * TTL_MS;) {
      seen.push(await rival.acquire());
      await sleep(200);
    }
  });
  expect(await republishOrders(20_000, { publisher, leaseTtlMs: TTL_MS })).toBe(1);
  expect(seen.every((lease) => lease === null)).toBe(true);
  expect(await rival.acquire()).not.toBeNull();
});

test('republishing stops before the next chunk when the relay’s lease is lost', async () => {
  for (let n = 0; n < 3; n += 1) await published(harness.newStream(), 'x'.repeat(800_000));
  await deleteOrders();
  let publishes = 0;
  const publisher = slowly(async () => {
    publishes += 1;
    await harness.pool.query('UPDATE leases SET token = token + 1');
    await sleep(1.5 * TTL_MS);
  });
  await expect(republishOrders(20_000, { publisher, leaseTtlMs: TTL_MS })).rejects.toMatchObject({
    name: 'LeaseLost',
  });
  expect(publishes).toBe(1);
});

test('republishing fails when the relay’s lease was lost during the only chunk', async () => {
  await published(harness.newStream(), 'a');
  await deleteOrders();
  const publisher = slowly(async () => {
    await harness.pool.query('UPDATE leases SET token = token + 1');
    await sleep(TTL_MS);
  });
  const counts: number[] = [];
  const onProgress = (count: number): void => void counts.push(count);
  await expect(
    republishOrders(20_000, { publisher, leaseTtlMs: TTL_MS, onProgress }),
  ).rejects.toMatchObject({ name: 'LeaseLost' });
  expect(counts).toEqual([]);
});
