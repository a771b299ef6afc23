import pg from 'pg';
import { createDatabase, type TestDatabase, waitFor } from '#testing';
import { Database } from './database.js';

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createDatabase();
  database = new Database(own.url, () => undefined);
});
afterAll(async () => {
  await database.end();
  await own.drop();
});

const kill = async (pid: number): Promise<void> => {
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  await client.query('SELECT pg_terminate_backend($1)', [pid]);
  await waitFor(async () => {
    const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
    return rowCount === 0;
  });
  await client.end();
};

test('when a connection is lost between two statements, only the transaction on that connection fails', async () => {
  const pid = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };
  const work = database.transaction(async (tx) => {
    const [row] = await tx.query<{ pid: number }>(pid, []);
    await kill(row?.pid ?? 0);
    return tx.query(pid, []);
  });
  await expect(work).rejects.toThrow();
  expect(await database.query(pid)).toHaveLength(1);
});

test('a stored time with a fraction of a millisecond is returned as the next millisecond', async () => {
  const [row] = await database.query({
    name: 'times',
    text: `SELECT timestamptz '2026-03-01T12:00:00.123Z' AS exact,
                  timestamptz '2026-03-01T12:00:00.123001Z' AS between_two`,
  });
  expect(row).toEqual({
    exact: '2026-03-01T12:00:00.123Z',
    between_two: '2026-03-01T12:00:00.124Z',
  });
});
