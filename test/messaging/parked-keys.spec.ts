import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type StreamType } from '#event-store';
import { assert, Rejection } from '#kernel';
import type { Consumer, EventMessage, ParkedKeys, Skip } from '#messaging';
import { waitFor } from '#testing';
import { copies, copying, type Harness, startHarness, upTo } from './harness.js';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.end());

const never = new AbortController().signal;

/** A consumer that cannot take what `poison` names, as long as it names it. */
const fragile = () => {
  const poison = new Set<string>();
  const consumer = harness.consumer(
    copying('fragile', ({ data }) => assert(!poison.has(String(data['text'])), 'it is wholesome')),
  );
  return { poison, consumer, parked: () => consumer.parkedKeys.list('fragile') };
};

const ref = (streamId: string) =>
  ({ consumer: 'fragile', streamType: 'order' as StreamType, streamId });

const newsOf = async (streamId: string, after = 0): Promise<readonly EventMessage[]> =>
  harness.store.readStream(ref(streamId), after, 100);

const took = (id: string) => copies(harness, 'fragile', id);

test('a poison message parks its stream, and all others flow', async () => {
  const { poison, consumer, parked } = fragile();
  poison.add('bad');
  harness.relay(harness.publisher()).start();
  consumer.start();
  const [sick, ...sound] = upTo(6).map(() => harness.newStream());
  if (sick === undefined) throw new Error('there are six');
  await harness.note(sick, 'good', 'bad');
  await waitFor(async () => (await parked()).length === 1);
  await harness.note(sick, 'later');
  for (const id of sound) await harness.note(id, 'one', 'two');
  for (const id of sound) await waitFor(async () => (await took(id)).length === 2);
  await waitFor(async () => (await consumer.lag()) === 0);
  expect(await took(sick)).toEqual(['good']);
  expect(await parked()).toMatchObject([
    { streamId: sick, version: 2, eventType: 'Noted', tries: 1 },
  ]);
  expect((await parked())[0]?.error).toContain('it is wholesome');

  await consumer.parkedKeys.requestRelease(ref(sick));
  await waitFor(async () => (await parked())[0]?.tries === 2);
  expect((await parked())[0]?.releaseRequestedAt).toBeNull();
  expect(await took(sick)).toEqual(['good']);

  poison.clear();
  await consumer.parkedKeys.requestRelease(ref(sick));
  await waitFor(async () => (await parked()).length === 0);
  await harness.note(sick, 'last');
  await waitFor(async () => (await took(sick)).length === 4);
  expect(await took(sick)).toEqual(['good', 'bad', 'later', 'last']);
});

const past = (id: string, version: number, reason: string) =>
  ({ ref: ref(id), version, reason, actor: 'user:ops' });

const skip = (keys: ParkedKeys, one: Skip): Promise<void> =>
  inTransaction(harness.pool, (client) => keys.skip(client, one));

test('a message can be skipped, with a reason that stays', async () => {
  const { poison, consumer, parked } = fragile();
  poison.add('bad');
  const id = harness.newStream();
  await harness.note(id, 'good', 'bad', 'later');
  await consumer.intake.take(await newsOf(id), never);
  const { parkedKeys } = consumer;
  await skip(parkedKeys, past(id, 2, 'the payer was told by letter'));
  consumer.start();
  await waitFor(async () => (await parked()).length === 0);
  expect(await took(id)).toEqual(['good', 'later']);
  const { rows } = await harness.pool.query('SELECT version, reason, actor FROM skipped_messages');
  expect(rows).toEqual([
    { version: 2, reason: 'the payer was told by letter', actor: 'user:ops' },
  ]);
  await expect(skip(parkedKeys, past(id, 2, 'again')))
    .rejects.toMatchObject({ code: 'not_parked' });
});

const parkOne = async (consumer: Consumer, poison: Set<string>): Promise<string> => {
  const id = harness.newStream();
  poison.add('bad');
  await harness.note(id, 'bad');
  await consumer.intake.take(await newsOf(id), never);
  expect(await consumer.parkedKeys.list('fragile')).toHaveLength(1);
  poison.clear();
  return id;
};

const skips = async (id: string): Promise<number> => {
  const { rowCount } = await harness.pool.query(
    'SELECT FROM skipped_messages WHERE stream_id = $1', [id]);
  return rowCount ?? 0;
};

test('a record of a skip that never was gives way to the one that is', async () => {
  const { poison, consumer, parked } = fragile();
  const id = await parkOne(consumer, poison);
  await harness.pool.query(
    `INSERT INTO skipped_messages
            (consumer, stream_type, stream_id, version, event_type, error, reason, actor, skipped_at)
     VALUES ('fragile', 'order', $1, 1, 'Hummed', 'old', 'left over', 'user:gone', '2020-01-01')`,
    [id]);
  await skip(consumer.parkedKeys, past(id, 1, 'the payer was told'));
  const { rows } = await harness.pool.query(
    `SELECT event_type, error, reason, actor,
            skipped_at > clock_timestamp() - interval '1 minute' AS just_now
       FROM skipped_messages WHERE stream_id = $1`, [id]);
  expect(rows).toEqual([{
    event_type: 'Noted', error: expect.stringContaining('it is wholesome'),
    reason: 'the payer was told', actor: 'user:ops', just_now: true,
  }]);
  expect((await parked())[0]?.releaseRequestedAt).not.toBeNull();
});

test('a skip passes over the version that was looked at, and no other', async () => {
  const { poison, consumer } = fragile();
  const id = harness.newStream();
  for (const note of ['bad', 'worse']) poison.add(note);
  await harness.note(id, 'bad', 'worse');
  await consumer.intake.take(await newsOf(id), never);
  await skip(consumer.parkedKeys, past(id, 1, 'not needed'));
  await consumer.intake.catchUp(ref(id), never);
  expect(await consumer.parkedKeys.get(ref(id))).toMatchObject({ version: 2 });
  for (const version of [1, 3]) {
    await expect(skip(consumer.parkedKeys, past(id, version, 'not needed')))
      .rejects.toMatchObject({ code: 'already_taken' });
  }
  expect(await consumer.parkedKeys.get(ref(id))).toMatchObject({ version: 2 });
  expect(await skips(id)).toBe(1);
});

test('a skip that came too late leaves no record of one', async () => {
  const { poison, consumer } = fragile();
  const id = await parkOne(consumer, poison);
  const healthy = harness.consumer(copying('fragile'));
  await healthy.intake.catchUp(ref(id), never);
  await expect(skip(consumer.parkedKeys, past(id, 1, 'not needed')))
    .rejects.toMatchObject({ code: 'already_taken' });
  expect(await took(id)).toEqual(['bad']);
  expect(await skips(id)).toBe(0);
});

test('a message that is skipped and taken at once is either, never both', async () => {
  const { poison, consumer } = fragile();
  const healthy = harness.consumer(copying('fragile'));
  for (let round = 0; round < 30; round += 1) {
    const id = await parkOne(consumer, poison);
    const { parkedKeys } = consumer;
    const [skipped] = await Promise.allSettled([
      skip(parkedKeys, past(id, 1, 'not needed')), healthy.intake.catchUp(ref(id), never),
    ]);
    const wasSkipped = skipped.status === 'fulfilled';
    expect(await skips(id)).toBe(wasSkipped ? 1 : 0);
    expect(await took(id)).toEqual(wasSkipped ? [] : ['bad']);
    await harness.pool.query('DELETE FROM parked_keys');
  }
});

test.each(['inbox', 'skipped_messages', 'parked_keys'])(
  'a skip that fails at %s has done nothing', async (table) => {
    const { poison, consumer, parked } = fragile();
    const id = await parkOne(consumer, poison);
    const before = await parked();
    await harness.pool.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN RAISE EXCEPTION ''no''; END';
       CREATE TRIGGER fails BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION fail()`);
    await expect(skip(consumer.parkedKeys, past(id, 1, 'not needed')))
      .rejects.toThrow('no');
    expect(await skips(id)).toBe(0);
    expect(await parked()).toEqual(before);
    const { rowCount } = await harness.pool.query('SELECT FROM inbox WHERE stream_id = $1', [id]);
    expect(rowCount).toBe(0);
  },
);

test('of two that skip the same message one does, and its reason is kept', async () => {
  const { poison, consumer, parked } = fragile();
  const id = await parkOne(consumer, poison);
  const { parkedKeys } = consumer;
  const results = await Promise.allSettled(['first', 'second'].map((reason) =>
    skip(parkedKeys, past(id, 1, reason))));
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const won = results[0]?.status === 'fulfilled' ? 'first' : 'second';
  const { rows } = await harness.pool.query('SELECT reason FROM skipped_messages');
  expect(rows).toEqual([{ reason: won }]);
  expect((await parked())[0]?.releaseRequestedAt).not.toBeNull();
});

test('a message that was passed over keeps the stream parked until it too is taken', async () => {
  const { poison, consumer, parked } = fragile();
  const id = await parkOne(consumer, poison);
  const { intake } = consumer;
  await intake.catchUp(ref(id), never);
  // Between catching up and letting go, a message comes and is passed over.
  await harness.note(id, 'passed over');
  expect(await intake.take(await newsOf(id, 1), never)).toBe('done');
  expect(await took(id)).toEqual(['bad']);
  expect(await consumer.parkedKeys.releaseIfCaughtUp(ref(id))).toBe(false);
  await intake.catchUp(ref(id), never);
  expect(await consumer.parkedKeys.releaseIfCaughtUp(ref(id))).toBe(true);
  expect(await parked()).toEqual([]);
  expect(await took(id)).toEqual(['bad', 'passed over']);
});

test('a consumer that looks while a stream is let go waits and takes the message', async () => {
  const { poison, consumer } = fragile();
  const id = await parkOne(consumer, poison);
  const { intake } = consumer;
  await intake.catchUp(ref(id), never);
  const client = await harness.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM parked_keys WHERE stream_id = $1 FOR UPDATE', [id]);
  await client.query('DELETE FROM parked_keys WHERE stream_id = $1', [id]);
  await harness.note(id, 'just then');
  const taking = intake.take(await newsOf(id, 1), never);
  await sleep(100);
  expect(await took(id)).toEqual(['bad']);
  await client.query('COMMIT');
  client.release();
  expect(await taking).toBe('done');
  expect(await took(id)).toEqual(['bad', 'just then']);
});

test('a stream that another process got past while it was parked is let go by itself', async () => {
  const { poison, consumer, parked } = fragile();
  const id = await parkOne(consumer, poison);
  const healthy = harness.consumer(copying('fragile'));
  await healthy.intake.catchUp(ref(id), never);
  healthy.start();
  await waitFor(async () => (await parked()).length === 0);
  expect(await took(id)).toEqual(['bad']);
});

test('however parking, releasing and news fall together, nothing is lost or doubled', async () => {
  const { poison, consumer, parked } = fragile();
  const { parkedKeys } = consumer;
  // What was asked for a round ago may be done between the list and the asking.
  const releaseAll = async (): Promise<void> => {
    for (const key of await parked()) {
      await parkedKeys.requestRelease(key).catch((error: unknown) => {
        if (!(error instanceof Rejection) || error.code !== 'not_parked') throw error;
      });
    }
  };
  const relay = harness.relay(harness.publisher());
  relay.start();
  consumer.start();
  const streams = upTo(3).map(() => harness.newStream());
  for (let round = 1; round <= 25; round += 1) {
    if (round % 6 === 2) poison.add(String(round));
    await Promise.all(streams.map((id) => harness.note(id, String(round))));
    if (round % 6 === 4) poison.clear();
    await releaseAll();
    await sleep(20);
  }
  poison.clear();
  await waitFor(async () => {
    await releaseAll();
    // The relay first: what it has not told yet is no lag.
    return (await relay.isCaughtUp()) && (await consumer.lag()) === 0 &&
      (await parked()).length === 0;
  }, { everyMs: 150 });
  for (const id of streams) expect(await took(id)).toEqual(upTo(25).map(String));
});
