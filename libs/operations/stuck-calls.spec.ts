import { openDatabase, specPool, waitFor } from '#testing';
import { StuckCalls } from './stuck-calls.js';

const open = () => openDatabase('orchestrator', ({ url }) => ({ admin: specPool(url) }));
let database: Awaited<ReturnType<typeof open>>;

beforeAll(async () => {
  database = await open();
});
afterAll(() => database.close());

test('the retry of several requests does not deadlock with a commit that locks the same jobs', async () => {
  const { admin: pool } = database.pools;
  await pool.query(
    `INSERT INTO jobs (kind, key, due_at, state)
     VALUES ('refund', 'job_1', 'epoch', 'stuck'), ('capture', 'job_2', 'epoch', 'stuck')`,
  );
  const lock = `SELECT FROM jobs WHERE key = $1 FOR UPDATE`;
  const commit = await pool.connect();
  await commit.query('BEGIN');
  await commit.query(lock, ['job_2']);
  const released = new StuckCalls(pool).releaseAll(['job_1', 'job_2'], 'the provider is back');
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await pool.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.waiting === 1;
  };
  await waitFor(isWaiting);
  await commit.query(lock, ['job_1']);
  await commit.query('COMMIT');
  commit.release();
  expect((await released).map(({ jobId }) => jobId).sort()).toEqual(['job_1', 'job_2']);
});
