import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { assert } from '#kernel';
import { FencedCursor, Lease, LeasedLoop, LeaseLost } from '#kafka';
import type { LogCursor } from '#log';
import { waitFor } from '#testing';
import { type Harness, startHarness } from './harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.end());

test('a lease has one holder until it expires, and the next holder gets a higher fencing token', async () => {
  const one = new Lease(harness.pool, 'job', 'one', 2_000);
  const two = new Lease(harness.pool, 'job', 'two', 5_000);
  const first = await one.acquire();
  expect(first?.isHeld()).toBe(true);
  expect(await two.acquire()).toBeNull();
  await first?.renew();
  await sleep(2_100);
  expect(first?.isHeld()).toBe(false);
  const second = await two.acquire();
  expect(Number(second?.token)).toBe(Number(first?.token) + 1);
  await expect(first?.renew()).rejects.toThrow(LeaseLost);
  // The release has no effect, because another process now has the lease.
  await first?.release();
  expect(await one.acquire()).toBeNull();
  await second?.release();
  expect(await one.acquire()).not.toBeNull();
});

test('the leases of a process are renewed by one statement, except those that another process has acquired', async () => {
  const leases = ['a', 'b', 'c'].map(
    (name) => new Lease(harness.pool, `shared-${name}`, 'one', 3_000),
  );
  const [a, b, c] = await Promise.all(leases.map((lease) => lease.acquire()));
  await harness.pool.query(`UPDATE leases SET token = token + 1 WHERE name = 'shared-b'`);
  const results = await Promise.allSettled([a?.renew(), b?.renew(), c?.renew()]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([a, b, c].map((held) => held?.isHeld())).toEqual([true, false, true]);
  // The rows of one transaction have the same `xmin`.
  const { rows } = await harness.pool.query<{ transactions: string }>(
    `SELECT count(DISTINCT xmin::text) AS transactions FROM leases
      WHERE name IN ('shared-a', 'shared-c')`,
  );
  expect(rows[0]?.transactions).toBe('1');
});

test('when the shared statement of renewals fails, each renewal fails, and the leases are held until they expire', async () => {
  const pool = new Pool(harness.pool.options);
  const leases = ['d', 'e'].map((name) => new Lease(pool, `shared-${name}`, 'one', 5_000));
  const held = await Promise.all(leases.map((lease) => lease.acquire()));
  await pool.end();
  const results = await Promise.allSettled(held.map((one) => one?.renew()));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(held.map((one) => one?.isHeld())).toEqual([true, true]);
});

/** The log positions of two new events. */
const newPositions = async (): Promise<readonly [LogCursor, LogCursor]> => {
  await harness.note(harness.newStream(), 'one', 'two');
  const { rows } = await harness.pool.query<LogCursor>(
    `SELECT epoch, transaction_id AS "transactionId", position FROM events
      ORDER BY epoch DESC, transaction_id DESC, position DESC LIMIT 2`,
  );
  const [second, first] = rows;
  assert(first && second, 'two events were written');
  return [first, second];
};

test('only the lease holder with the newest fencing token can move a cursor', async () => {
  const cursor = new FencedCursor(harness.pool, 'reader');
  const [first, second] = await newPositions();
  await cursor.move('1', await cursor.takeOver('1'), first);
  expect(await cursor.takeOver('2')).toEqual(first);
  await expect(cursor.move('1', first, second)).rejects.toThrow(LeaseLost);
  await expect(cursor.takeOver('1')).rejects.toThrow(LeaseLost);
  await cursor.move('2', first, second);
  expect(await cursor.takeOver('3')).toEqual(second);
});

test('a cursor that is no longer where its holder has read it is not moved', async () => {
  const cursor = new FencedCursor(harness.pool, 'set-back');
  const [first, second] = await newPositions();
  await cursor.move('1', await cursor.takeOver('1'), first);
  await harness.pool.query(`UPDATE log_cursors SET position = 0 WHERE name = 'set-back'`);
  await expect(cursor.move('1', first, second)).rejects.toThrow(LeaseLost);
  expect(await cursor.position()).toEqual({ ...first, position: '0' });
});

test('a cursor is not moved past events that a promoted standby does not have', async () => {
  const cursor = new FencedCursor(harness.pool, 'promoted');
  const [first] = await newPositions();
  await cursor.move('1', await cursor.takeOver('1'), first);
  const lost = { ...first, transactionId: String(BigInt(first.transactionId) + 1_000n) };
  await expect(cursor.move('1', first, lost)).rejects.toThrow(LeaseLost);
  expect(await cursor.position()).toEqual(first);
});

test('a lease that another process holds with the same token is neither renewed nor released', async () => {
  const held = await new Lease(harness.pool, 'same-token', 'one', 5_000).acquire();
  await harness.pool.query(`UPDATE leases SET holder = 'two' WHERE name = 'same-token'`);
  await expect(held?.renew()).rejects.toThrow(LeaseLost);
  await held?.release();
  expect(await new Lease(harness.pool, 'same-token', 'three', 5_000).acquire()).toBeNull();
});

test('when two loops share a lease, only the holder runs, and the second loop takes over when the holder stops', async () => {
  const done: string[] = [];
  const loop = (name: string) =>
    new LeasedLoop(
      {
        name: 'singleton',
        round: () => {
          done.push(name);
          return Promise.resolve('idle');
        },
      },
      {
        pool: harness.pool,
        logger: harness.logger,
        idleMs: { first: 5, longest: 5 },
        ttlMs: 3_000,
      },
    );
  const [one, two] = [loop('one'), loop('two')];
  one.start();
  await waitFor(() => done.length > 3);
  two.start();
  await sleep(400);
  expect(new Set(done)).toEqual(new Set(['one']));
  await one.stop();
  await waitFor(() => done.includes('two'));
  const ofOne = done.filter((name) => name === 'one').length;
  await two.stop();
  expect(done.filter((name) => name === 'one')).toHaveLength(ofOne);
});

test('a loop repeats a failed run, and reports the failure until a run succeeds', async () => {
  let rounds = 0;
  const loop = new LeasedLoop(
    {
      name: 'failing',
      round: () => {
        rounds += 1;
        return rounds < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve('idle');
      },
    },
    { pool: harness.pool, logger: harness.logger, idleMs: { first: 5, longest: 5 } },
  );
  loop.start();
  await waitFor(() => loop.failing);
  await waitFor(() => rounds > 3);
  expect(loop.failing).toBe(false);
  await loop.stop();
});

test('a loop runs immediately when it is notified', async () => {
  let rounds = 0;
  const loop = new LeasedLoop(
    {
      name: 'woken',
      round: () => {
        rounds += 1;
        return Promise.resolve('idle');
      },
    },
    { pool: harness.pool, logger: harness.logger, idleMs: { first: 60_000, longest: 60_000 } },
  );
  loop.start();
  await waitFor(() => rounds === 1);
  loop.wake();
  await waitFor(() => rounds === 2);
  await loop.stop();
  expect(rounds).toBe(2);
});
