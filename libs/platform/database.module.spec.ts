import { createDatabase, type TestDatabase } from '#testing';
import type pg from 'pg';
import { createPool } from './database.module.js';

let own: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  own = await createDatabase();
  const options = { applicationName: 'spec', connectionString: own.url, max: 2 };
  pool = createPool(options, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await own.drop();
});

/** Ends the session of a client on the server; resolves when the client has noticed it. */
const endSessionOf = async (client: pg.PoolClient): Promise<void> => {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = new Promise<void>((resolve) => void client.once('end', resolve));
  await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
};

test('a connection that breaks while it is in use makes the next statement fail, and does not end the process', async () => {
  const held = await pool.connect();
  await endSessionOf(held);
  await expect(held.query('SELECT 1')).rejects.toThrow();
  held.release();
  expect((await pool.query('SELECT 1')).rowCount).toBe(1);
});
