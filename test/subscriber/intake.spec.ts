import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '#log';
import { eventOf, type Harness, history, startHarness, streamIdOf, upTo } from './harness.js';

/** Tests the handling of messages on a real PostgreSQL, without a broker. */

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.end());

const name = 'copier';
const texts = (count: number): string[] => upTo(count).map(String);

test('a subscriber handles each event once and in order even if messages are repeated', async () => {
  const events = history(...texts(4));
  const { take, counts } = harness.intake(name);
  await take(events.slice(0, 3));
  await take(events.slice(0, 2));
  await take([...events, ...events]);
  expect(await harness.effects(events)).toEqual(texts(4));
  expect(counts).toMatchObject({ handled: 4, repeated: 2 + 3 + 4 });
});

test('two processes that receive the same messages commit each event’s effect once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const events = history(...texts(5));
    const both = [harness.intake(name), harness.intake(name, undefined, harness.newPool())];
    await Promise.all(both.map(({ take }) => take(events)));
    expect(await harness.effects(events)).toEqual(texts(5));
    expect(both.reduce((sum, one) => sum + one.counts.handled, 0)).toBe(5);
  }
});

test('a process that waited for another process to handle an event does not handle the event again', async () => {
  const events = history('1');
  let entered = (): void => undefined;
  const isInside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const slow = harness.intake(name, async () => {
    entered();
    await sleep(300);
  });
  const taking = slow.take(events);
  await isInside;
  const second = harness.intake(name);
  await second.take(events);
  await taking;
  expect(second.counts).toMatchObject({ handled: 0, repeated: 1 });
  expect(await harness.effects(events)).toEqual(['1']);
});

test('the writes of a handler that fails are rolled back, and the handler runs again', async () => {
  const events = history('1', '2');
  let failures = 2;
  const { take, counts } = harness.intake(name, async (text) => {
    const id = streamIdOf(events);
    await harness.pool.query('SELECT 1');
    if (text === '2' && failures > 0) {
      failures -= 1;
      throw new TypeError(`a bug at ${id}`);
    }
  });
  await take(events);
  expect(await harness.effects(events)).toEqual(['1', '2']);
  expect(counts).toMatchObject({ handled: 2, blocked: 0 });
});

test('consecutive events without a handler are skipped in one transaction', async () => {
  const events = history(null, null, null, '1', null, null);
  const { take, counts, store } = harness.intake(name);
  let transactions = 0;
  const transaction = store.transaction.bind(store);
  store.transaction = (stream, work) => {
    transactions += 1;
    return transaction(stream, work);
  };
  await take(events);
  expect(transactions).toBe(2);
  expect(counts).toMatchObject({ handled: 1, passed: 5 });
  expect(await harness.version(name, events)).toBe(6);
});

test('two subscribers that share a database are independent of each other', async () => {
  const events = history('1');
  await harness.intake('one').take(events);
  await harness.intake('two').take(events);
  expect(await harness.effects(events)).toEqual(['1', '1']);
});

test('events of unknown types are counted, and each unknown type is logged once, even the type `constructor`', async () => {
  const [first, second, third] = history(null, null, '1');
  if (!first || !second || !third) throw new Error('three events were created');
  const unknown: readonly RecordedEvent[] = [
    { ...first, type: 'OrderLevitated' },
    { ...second, type: 'constructor' },
    third,
  ];
  const { take, counts, warnings } = harness.intake(name);
  await take(unknown);
  expect(await harness.effects(unknown)).toEqual(['1']);
  expect(counts).toMatchObject({ handled: 1, passed: 0, unknown: 2 });
  const again = history(null, null).map((one) => ({ ...one, type: 'OrderLevitated' }));
  await take(again);
  expect(counts).toMatchObject({ passed: 0, unknown: 4 });
  expect(warnings).toMatchObject([
    { type: 'OrderLevitated', streamType: 'order' },
    { type: 'constructor', streamType: 'order' },
  ]);
});

test('a subscriber waits for an unavailable database and blocks no stream', async () => {
  const pool = harness.newPool();
  const { take, counts } = harness.intake(name, () => sleep(5), pool);
  const streams = upTo(12).map(() => history(...texts(6)));
  const killing = (async () => {
    for (let kill = 0; kill < 8; kill += 1) {
      await sleep(20);
      await harness.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    }
  })();
  await Promise.all([take(streams.flat()), killing]);
  for (const events of streams) expect(await harness.effects(events)).toEqual(texts(6));
  expect(counts.blocked).toBe(0);
});

test('a subscriber stops on the abort signal, and handles the remaining messages on their next delivery', async () => {
  const events = history(...texts(50));
  const stop = new AbortController();
  const { take } = harness.intake(name, async (text) => {
    if (text === '3') stop.abort();
    await sleep(1);
  });
  await expect(take(events, stop.signal)).rejects.toThrow('abort');
  expect(await harness.effects(events)).toEqual(texts(3));
  await harness.intake(name).take(events);
  expect(await harness.effects(events)).toEqual(texts(50));
});

test('a message with a NUL or an unpaired surrogate does not stop the subscriber', async () => {
  const events = history('1', '2');
  const odd = events.map((event) => ({ ...event, data: { ...event.data, more: '\0 \ud800' } }));
  const { take, counts, store } = harness.intake(name, () => {
    throw new Error('no \0 \ud800 either');
  });
  await take(odd);
  expect(counts).toMatchObject({ blocked: 1, kept: 1 });
  const blocked = (await store.blocked()).find(({ streamId }) => streamId === streamIdOf(events));
  expect(blocked?.error).toContain('Error: no ');
});

test('events of different stream types with the same id belong to different streams', async () => {
  const events = history('1');
  await harness.intake(name).take(events);
  const id = streamIdOf(events);
  const state = await harness.intake(name).store.read([{ streamType: 'payment', streamId: id }]);
  expect(state.size).toBe(0);
  expect(await harness.version(name, [eventOf(id, 1, '1')])).toBe(1);
});
