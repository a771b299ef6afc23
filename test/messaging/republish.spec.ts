import { LogReader } from '#event-store';
import { republish, topicOf } from '#messaging';
import { waitFor } from '#testing';
import { firstOccurrences, type Harness, readTopic, startHarness, upTo } from './harness.js';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.end());

const republishOrders = (fromPosition: string | null, waitMs = 3_000) =>
  republish({
    pool: harness.pool, reader: new LogReader(harness.pool, {}), publisher: harness.publisher(),
    topics: harness.settings.topics, streamType: 'order', fromPosition, waitMs,
    onProgress: () => undefined,
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
