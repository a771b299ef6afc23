import { Pool } from 'pg';
import { newId } from '#kernel';
import { lockWaits, waitFor } from '#testing';
import { type ApiFixture, startApiFixture } from '../api.fixture.js';
import { type DayUse, giveBackUse, takeUse } from './daily-use.js';

let api: ApiFixture;
/**
 * A connection pool without index scans: rows are returned in storage order instead of index order,
 * as may happen in production.
 */
let scanning: Pool;

beforeAll(async () => {
  api = await startApiFixture();
  scanning = new Pool({
    ...api.pool.options,
    max: 1,
    options: ['indexscan', 'bitmapscan', 'mergejoin']
      .map((one) => `-c enable_${one}=off`)
      .join(' '),
  });
  // The server ends the connection when the test database is dropped; this error is expected.
  scanning.on('error', () => undefined);
});
afterAll(async () => {
  await scanning.end();
  await api.stop();
});

const lockFree = `SELECT unit FROM daily_use WHERE holder_id = $1 ORDER BY unit FOR UPDATE SKIP LOCKED`;

test('the subtraction of used amounts from daily limits locks the rows in the sequence in which the amounts were added', async () => {
  const holderId = newId('key');
  const units = ['usd', 'eur', 'count'];
  const uses = units.map((unit) => ({ holder: 'key', holderId, unit, used: 1 }) as const);
  const use: DayUse = { day: '2026-11-02', operation: 'refund', uses };
  for (const one of uses) await takeUse(api.pool, { ...use, uses: [one] });
  const other = await api.pool.connect();
  await other.query('BEGIN');
  await other.query(`SELECT FROM daily_use WHERE holder_id = $1 AND unit = 'eur' FOR UPDATE`, [
    holderId,
  ]);
  const given = giveBackUse(scanning, use);
  await waitFor(() => lockWaits(api.pool));
  const { rows: free } = await api.pool.query(lockFree, [holderId]);
  await other.query('COMMIT');
  other.release();
  await given;
  expect(free).toEqual([{ unit: 'usd' }]);
  expect(
    (
      await api.pool.query('SELECT used::int AS used FROM daily_use WHERE holder_id = $1', [
        holderId,
      ])
    ).rows,
  ).toEqual([{ used: 0 }, { used: 0 }, { used: 0 }]);
});
