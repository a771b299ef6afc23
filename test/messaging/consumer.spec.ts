import { setTimeout as sleep } from 'node:timers/promises';
import { encodeCloudEvent, type OutgoingMessage, topicOf } from '#messaging';
import { uniqueName, waitFor } from '#testing';
import { copies, copying, type Harness, startHarness, upTo } from './harness.js';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.end());

const texts = (count: number): string[] => upTo(count).map(String);

const expectCopies = async (consumer: string, streams: readonly string[], count: number) => {
  for (const id of streams) {
    await waitFor(async () => (await copies(harness, consumer, id)).length >= count, {
      timeoutMs: 20_000,
    });
    expect(await copies(harness, consumer, id)).toEqual(texts(count));
  }
};

const startRelay = () => {
  const relay = harness.relay(harness.publisher());
  relay.start();
  return relay;
};

const send = async (messages: readonly OutgoingMessage[]): Promise<void> => {
  const publisher = harness.publisher();
  await publisher.publish(messages);
};

const messagesOf = async (id: string): Promise<OutgoingMessage[]> => {
  const events = await harness.store.readStream({ streamType: 'order', streamId: id }, 0, 1_000);
  return events.map((event) => encodeCloudEvent(event, harness.settings.topics));
};

test('a topic read again from its beginning changes nothing', async () => {
  startRelay();
  const streams = upTo(10).map(() => harness.newStream());
  for (const id of streams) await harness.note(id, ...texts(5));
  const first = harness.consumer(copying('again'));
  first.start();
  await expectCopies('again', streams, 5);
  await waitFor(async () => (await first.lag()) === 0);
  await first.stop();

  const admin = harness.kafka.admin();
  await admin.connect();
  const topic = topicOf('order', harness.settings.topics);
  await admin.resetOffsets({ groupId: first.groupId, topic, earliest: true });
  await admin.disconnect();
  const second = harness.consumer(copying('again'));
  expect(await second.lag()).toBeGreaterThan(0);
  second.start();
  await waitFor(async () => (await second.lag()) === 0);
  await expectCopies('again', streams, 5);
});

test('two consumers share the partitions, come and go, and each effect happens once', async () => {
  startRelay();
  const slowly = () => copying('shared', () => sleep(2));
  const streams = upTo(24).map(() => harness.newStream());
  const writing = (async () => {
    for (let round = 1; round <= 12; round += 1) {
      await Promise.all(streams.map((id) => harness.note(id, String(round))));
      await sleep(60);
    }
  })();
  const one = harness.consumer(slowly());
  one.start();
  await waitFor(async () => (await copies(harness, 'shared', streams[0] ?? '')).length > 0);
  const two = harness.consumer(slowly(), harness.newPool());
  two.start();
  await sleep(400);
  await one.stop();
  const three = harness.consumer(slowly(), harness.newPool());
  three.start();
  await writing;
  await expectCopies('shared', streams, 12);
});

test('what the topic left out is read from the log', async () => {
  await harness.prepare();
  const id = harness.newStream();
  await harness.note(id, '1', '2', '3');
  await harness.hum(id, 2);
  await harness.note(id, '4', '5');
  const all = await messagesOf(id);
  await send(all.filter((_, index) => index !== 1 && index !== 4));
  harness.consumer(copying('gaps')).start();
  await expectCopies('gaps', [id], 5);
});

test('a message that cannot be read costs nothing: its stream is read from the log', async () => {
  await harness.prepare();
  const [id, other] = [harness.newStream(), harness.newStream()];
  await harness.note(id, '1', '2');
  await harness.note(other, '1');
  const [first, second] = await messagesOf(id);
  if (!first || !second) throw new Error('two events were written');
  const alien = { topic: first.topic, key: 'nobody', value: 'x', headers: {} };
  await send([alien, { ...first, value: '{' }, { ...second, headers: {} }]);
  await send(await messagesOf(other));
  harness.consumer(copying('unclear')).start();
  await expectCopies('unclear', [id], 2);
  await expectCopies('unclear', [other], 1);
});

test('a repeated or late message is dropped, however the topic repeats', async () => {
  await harness.prepare();
  const id = harness.newStream();
  await harness.note(id, ...texts(4));
  const all = await messagesOf(id);
  await send(all.slice(0, 3));
  await send(all.slice(0, 2));
  await send(all);
  const consumer = harness.consumer(copying('late'));
  consumer.start();
  await waitFor(async () => (await consumer.lag()) === 0, { timeoutMs: 15_000 });
  await expectCopies('late', [id], 4);
});

test('connections that break in the middle lose nothing and park nothing', async () => {
  startRelay();
  const name = uniqueName('breaking');
  const pool = harness.newPool();
  const consumer = harness.consumer(copying(name, () => sleep(3)), pool);
  consumer.start();
  const streams = upTo(12).map(() => harness.newStream());
  for (let round = 1; round <= 6; round += 1) {
    await Promise.all(streams.map((id) => harness.note(id, String(round))));
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await harness.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await sleep(50);
  }
  await expectCopies(name, streams, 6);
  expect(await consumer.parkedKeys.list()).toEqual([]);
});

test('runs of events that nobody handles move the inbox by one receipt', async () => {
  startRelay();
  const id = harness.newStream();
  await harness.hum(id, 40);
  await harness.note(id, '1');
  await harness.hum(id, 7);
  const consumer = harness.consumer(copying('quiet'));
  consumer.start();
  await expectCopies('quiet', [id], 1);
  await waitFor(async () => {
    const { rows } = await harness.pool.query("SELECT version FROM inbox WHERE consumer = 'quiet'");
    return rows[0]?.version === 48;
  });
});
