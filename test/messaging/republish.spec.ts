import { setTimeout as sleep } from 'node:timers/promises';
import { LogReader } from '#event-store';
import { Lease, type Publisher, republish, type RepublishOptions, topicOf } from '#messaging';
import { waitFor } from '#testing';
import { firstOccurrences, type Harness, notebook, readTopic, startHarness, upTo } from './harness.js';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.end());

const republishOrders = (
  fromPosition: string | null, waitMs = 3_000, more: Partial<RepublishOptions> = {},
) =>
  republish({
    pool: harness.pool, reader: new LogReader(harness.pool, notebook.upcasters), publisher: harness.publisher(),
    topics: harness.settings.topics, streamType: 'order', fromPosition, waitMs,
    onProgress: () => undefined, ...more,
  });

test('a topic that was lost is rebuilt from the log, and the relay goes on after it', async () => {
  const ids = upTo(3).map(() => harness.newStream());
  for (const id of ids) await harness.note(id, 'a', 'b');
  const relay = harness.relay(harness.publisher());
  relay.start();
  await waitFor(() => relay.isCaughtUp());
  await expect(republishOrders(null, 0)).rejects.toMatchObject({ code: 'relay_running' });
  await relay.stop();

  const admin = harness.kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topicOf('order', harness.settings.topics)] });
  await admin.disconnect();
  await harness.note(ids[0] ?? '', 'not yet published');
  expect(await republishOrders(null)).toBe(6);

  const next = harness.relay(harness.publisher());
  next.start();
  await waitFor(() => next.isCaughtUp());
  const told = firstOccurrences(await readTopic(harness));
  expect(ids.map((id) => told.get(id))).toEqual([[1, 2, 3], [1, 2], [1, 2]]);
});

test('a topic is told again from a position of the log on', async () => {
  const id = harness.newStream();
  await harness.note(id, 'a', 'b', 'c');
  const relay = harness.relay(harness.publisher());
  relay.start();
  await waitFor(() => relay.isCaughtUp());
  await relay.stop();
  const [, second] = await harness.store.readStream({ streamType: 'order', streamId: id }, 0, 9);
  expect(await republishOrders(second?.cursor.position ?? '')).toBe(2);
  const versions = (await readTopic(harness)).map(({ version }) => version);
  expect(versions).toEqual([1, 2, 3, 2, 3]);
  await expect(republishOrders('999999999')).rejects.toMatchObject({ code: 'no_such_position' });
});

/** Publishes nothing, slowly. */
const slowly = (publishing: () => Promise<void>): Publisher => ({
  publish: publishing,
  close: () => Promise.resolve(),
});

const published = async (id: string, ...texts: string[]): Promise<void> => {
  await harness.note(id, ...texts);
  const relay = harness.relay(harness.publisher());
  relay.start();
  await waitFor(() => relay.isCaughtUp());
  await relay.stop();
};

const TTL_MS = 5_000;

test('a chunk that takes longer than the lease does not lose it', async () => {
  await published(harness.newStream(), 'a');
  const rival = new Lease(harness.pool, 'relay', 'rival', TTL_MS);
  const seen: unknown[] = [];
  const publisher = slowly(async () => {
    for (const begunAtMs = performance.now(); performance.now() - begunAtMs < 1.5 * TTL_MS;) {
      seen.push(await rival.acquire());
      await sleep(200);
    }
  });
  expect(await republishOrders(null, 3_000, { publisher, leaseTtlMs: TTL_MS })).toBe(1);
  expect(seen.every((lease) => lease === null)).toBe(true);
  expect(await rival.acquire()).not.toBeNull();
});

test('a lease that is lost all the same ends it before anything more is told', async () => {
  for (let n = 0; n < 3; n += 1) await published(harness.newStream(), 'x'.repeat(800_000));
  let publishes = 0;
  const publisher = slowly(async () => {
    publishes += 1;
    await harness.pool.query('UPDATE leases SET token = token + 1');
    await sleep(1.5 * TTL_MS);
  });
  await expect(republishOrders(null, 3_000, { publisher, leaseTtlMs: TTL_MS }))
    .rejects.toMatchObject({ name: 'LeaseLost' });
  expect(publishes).toBe(1);
});

test('nor does it report success when what is lost was its only chunk', async () => {
  await published(harness.newStream(), 'a');
  const publisher = slowly(async () => {
    await harness.pool.query('UPDATE leases SET token = token + 1');
    await sleep(TTL_MS);
  });
  const told: number[] = [];
  const onProgress = (count: number): void => void told.push(count);
  await expect(republishOrders(null, 3_000, { publisher, leaseTtlMs: TTL_MS, onProgress }))
    .rejects.toMatchObject({ name: 'LeaseLost' });
  expect(told).toEqual([]);
});
