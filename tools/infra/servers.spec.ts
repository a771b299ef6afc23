import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { uniqueName, waitFor } from '#testing';
import pg from 'pg';

import { startPostgres, stateOfServer } from './postgres.mjs';
import { postgresData } from './postgres-user.mjs';
import { freePort, scratchDir } from './processes.mjs';

const dir = scratchDir(mkdtempSync(join(tmpdir(), 'servers-')));

const started: { stop: () => Promise<void> }[] = [];

/** Registers a server, so that it is stopped at the end of this spec. */
const ending = <T extends { stop: () => Promise<void> }>(server: T): T => {
  started.push(server);
  return server;
};

// Stops only the servers of this spec. `stopAll()` would also end processes that later specs of
// this Jest worker use.
afterAll(async () => {
  for (const server of started) await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

/**
 * All tests share one data folder, because its creation takes longer than a start of the server.
 */
const folder = uniqueName('servers');
const postgres = { folder, password: 'only-here', throwaway: true };

test('PostgreSQL has all committed data when it restarts after a crash', async () => {
  const server = ending(
    await startPostgres({
      ...postgres,
      port: await freePort(),
      logFile: join(dir, 'postgres.log'),
    }),
  );
  const url = `${server.url}/postgres`;
  await query(url, 'CREATE TABLE kept AS SELECT 7 AS id');
  await server.kill9();
  await expect(query(url, 'SELECT 1')).rejects.toThrow();
  await server.restart();
  expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
  await server.stop();
});

const SILENT_MS = 8_000;
/**
 * How long the test waits: longer than SILENT_MS, after which a server without progress counts as
 * failed.
 */
const PATIENCE_MS = 10_000;

test('the start of PostgreSQL waits while the server reports that it is starting', async () => {
  const server = ending(
    await startPostgres({
      ...postgres,
      port: await freePort(),
      logFile: join(dir, 'slow.log'),
      settings: { hot_standby: 'off' },
      silentMs: SILENT_MS,
    }),
  );
  await server.stop();
  // The server becomes a standby without a primary, which responds to connections but accepts none.
  writeFileSync(join(postgresData(folder), 'standby.signal'), '', { mode: 0o644 });
  let outcome = 'still waited for';
  const restarted = server.restart().then(
    () => {
      outcome = 'ready';
    },
    (error: unknown) => {
      outcome = String(error);
    },
  );
  const url = `${server.url}/postgres`;
  await waitFor(async () => (await stateOfServer(url)) === 'starting', { timeoutMs: 60_000 });
  const since = Date.now();
  await waitFor(() => Date.now() - since > PATIENCE_MS, {
    timeoutMs: 2 * PATIENCE_MS,
    everyMs: 500,
  });
  expect(outcome).toBe('still waited for');
  writeFileSync(join(postgresData(folder), 'promote'), '');
  const [pid] = readFileSync(join(postgresData(folder), 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGUSR1');
  await restarted;
  expect(outcome).toBe('ready');
  await server.stop();
});

test('the start of PostgreSQL fails immediately when the server refuses the stored password', async () => {
  const server = { ...postgres, logFile: join(dir, 'other.log') };
  const first = ending(await startPostgres({ ...server, port: await freePort() }));
  await first.stop();
  const second = startPostgres({ ...server, port: await freePort(), password: 'of-now' });
  await expect(second).rejects.toThrow(/has a password other than .* start again with `--reset`/);
});
