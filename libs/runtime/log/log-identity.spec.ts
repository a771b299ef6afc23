import { createPool } from '#platform';
import { waitFor } from '#testing';
import type { Pool } from 'pg';
import {
  count,
  counter,
  lendLogDatabases,
  metadata,
  openTestLog,
  type TestLog,
} from './counter.fixture.js';
import { EventStore } from './event-store.js';
import { ConnectionCheck } from './log-identity.js';
import { PostgresLog } from './log-storage.js';

/**
 * The promotion of a standby that lacks the last event of a stream. Another process has committed
 * another event with the same version since.
 */

const databases = lendLogDatabases();
let log: TestLog;
let pool: Pool;
let store: EventStore;

const open = (): { readonly pool: Pool; readonly store: EventStore } => {
  const check = new ConnectionCheck();
  const own = createPool(
    {
      applicationName: 'failed-over',
      connectionString: log.database.urlFor('worker'),
      max: 1,
      verify: check.verify,
    },
    () => undefined,
  );
  const opened = new EventStore(new PostgresLog(own), counter.upcasters, null);
  check.onRestored(() => opened.clearCache());
  return { pool: own, store: opened };
};

beforeEach(async () => {
  log = await openTestLog(databases);
  ({ pool, store } = open());
  expect(await store.execute(counter, 'a', count(1), metadata)).toBe(1);
});
afterEach(async () => {
  await pool.end();
  await log.close();
});

const failOver = async (): Promise<void> => {
  await log.admin.query(`UPDATE events SET data = '{"by": 5}' WHERE stream_id = 'a'`);
  await log.admin.query(`UPDATE log_identity SET incarnation = 'before'`);
  await log.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'failed-over'`,
  );
  await waitFor(() => pool.totalCount === 0);
};

test('after a failover, a new connection clears the cached states', async () => {
  await failOver();
  await pool.query('SELECT 1');
  expect(store.cached(counter, 'a')).toBeNull();
});

test('after a failover, a step whose commit opens the first connection is decided on the new log', async () => {
  await failOver();
  expect(await store.execute(counter, 'a', count(1), metadata)).toBe(6);
});

test('a new connection without a restore keeps the cached states', async () => {
  (await pool.connect()).release(true);
  await pool.query('SELECT 1');
  expect(store.cached(counter, 'a')).toMatchObject({ version: 1 });
});
