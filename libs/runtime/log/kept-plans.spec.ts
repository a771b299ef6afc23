import type { Pool } from 'pg';
import { specPool } from '#testing';
import { openTestLog, type TestLog } from './counter.fixture.js';
import { PostgresLog } from './log-storage.js';

/** PostgreSQL keeps the plan of a prepared statement from the sixth execution on. */
const EXECUTIONS = 6;

let log: TestLog;
let pool: Pool;

beforeEach(async () => {
  log = await openTestLog();
  // Only one connection, because each connection has its own plans.
  pool = specPool(log.database.urlFor('worker'), 1);
});
afterEach(async () => {
  await pool.end();
  await log.close();
});

const rowsReadWithoutIndex = async (): Promise<number> => {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await log.admin.query<{ read: number }>(
    `SELECT seq_tup_read::int AS read FROM pg_stat_user_tables WHERE relname = 'events'`,
  );
  return rows[0]?.read ?? 0;
};

test('reads of streams use an index even if the log has grown since the statements were planned', async () => {
  const storage = new PostgresLog(pool);
  const ref = { streamType: 'order', streamId: 'a1' } as const;
  const read = async (): Promise<void> => {
    await storage.history(ref, 0, 10);
    await storage.readStream(ref, 0, 10);
    await storage.readStreams([ref, { streamType: 'payment', streamId: 'p1' }], null);
  };
  for (let made = 0; made < EXECUTIONS; made += 1) await read();
  await log.admin.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
     SELECT 'order', 'a' || n, 1, gen_random_uuid(), 'Counted', 1, '{"by": 1}', '{}'
       FROM generate_series(1, 500) AS n`,
  );
  const before = await rowsReadWithoutIndex();
  await read();
  expect((await rowsReadWithoutIndex()) - before).toBe(0);
});
