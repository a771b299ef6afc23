import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase, gate, type TestDatabase, waitFor } from '#testing';
import { SessionLocks } from './session-locks.js';

let own: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  own = await createDatabase();
  pool = new pg.Pool({ connectionString: own.url, max: 2, connectionTimeoutMillis: 3_000 });
  // A connection may still be closing when the test database is dropped; its error is ignored.
  pool.on('error', () => undefined);
});
afterAll(async () => {
  await pool.end();
  await own.drop();
});

/** Simulates work that runs until the test ends it. */
const longWork = () => {
  const { opened, open } = gate();
  return { work: () => opened.then(() => 'done'), end: open };
};

const held = async (): Promise<number> => {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rowCount ?? 0;
};

test('while a lock is held, every further attempt to acquire it fails immediately, in any process; the lock is free after the work', async () => {
  const here = new SessionLocks(pool, 2);
  const elsewhere = new SessionLocks(pool, 2);
  const { work, end } = longWork();
  const first = here.hold('a', work);
  await waitFor(async () => (await held()) === 1);
  expect(await here.hold('a', () => Promise.resolve('second'))).toBeNull();
  expect(await elsewhere.hold('a', () => Promise.resolve('second'))).toBeNull();
  end();
  expect(await first).toEqual({ result: 'done' });
  expect(await elsewhere.hold('a', () => Promise.resolve('next'))).toEqual({ result: 'next' });
});

test('a lock is released if its work fails', async () => {
  const locks = new SessionLocks(pool, 2);
  const failing = locks.hold('a', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await new SessionLocks(pool, 1).hold('a', () => Promise.resolve(1))).toEqual({
    result: 1,
  });
});

test('a lock can be acquired while callers of a different lock wait for a slow connection', async () => {
  const locks = new SessionLocks(pool, 2);
  const { work, end } = longWork();
  const all = Array.from({ length: 10 }, () => locks.hold('slow', work));
  expect(await locks.hold('other', () => Promise.resolve(1))).toEqual({ result: 1 });
  end();
  const results = await Promise.all(all);
  expect(results.filter((result) => result !== null)).toEqual([{ result: 'done' }]);
});

/** A database behind a proxy that accepts new connections only after `delayMs`. */
const slowWay = async (url: string) => {
  const way = { delayMs: 0 };
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5_432), hostname);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    upstream.pipe(client);
    setTimeout(() => client.pipe(upstream), way.delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  through.searchParams.set('application_name', 'locks');
  return { way, url: through.href, close: () => server.close() };
};

test('a connection that was opened after its caller had timed out can break without ending the process', async () => {
  const { way, url, close } = await slowWay(own.url);
  const slow = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 1_000 });
  const errors: Error[] = [];
  slow.on('error', (error) => errors.push(error));
  const locks = new SessionLocks(slow, 1);
  /** Ends the idle connections of the locks; returns whether there was an idle connection. */
  const isBroken = async (): Promise<boolean> => {
    const { rowCount } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'locks' AND datname = current_database() AND state = 'idle'`,
    );
    return rowCount === 1;
  };
  // The connection must open after its caller's time limit and before the connection's own time
  // limit. On a busy machine it may open too late, and is then opened for another caller.
  await waitFor(async () => {
    way.delayMs = 0;
    const { work, end } = longWork();
    const first = locks.hold('a', work);
    await waitFor(async () => (await held()) === 1);
    const late = locks.hold('b', work).catch((error: unknown) => error);
    await sleep(700);
    way.delayMs = 600;
    end();
    await first;
    expect(await late).toMatchObject({ message: expect.stringContaining('timeout') });
    return waitFor(isBroken, { timeoutMs: 3_000 }).catch(() => false);
  });
  await waitFor(() => errors.length === 1);
  way.delayMs = 0;
  expect(await locks.hold('b', () => Promise.resolve(1))).toEqual({ result: 1 });
  await slow.end();
  close();
});
