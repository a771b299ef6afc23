import { createDatabase, specPool, type TestDatabase } from '#testing';
import type { Pool } from 'pg';
import { captureIdSql } from './capture-id.js';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  pool = specPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('the capture id of a ledger entry that was booked before captures had ids is derived from the payment’s id', async () => {
  await pool.query(`
    INSERT INTO ledger_journal
    SELECT gen_random_uuid(), kind, object, 'pay_abc', 'acc_1', 'shop', 'eur', 10,
           -10, 10, 0, 0, 0, 0, now()
      FROM (VALUES ('payment', 'pay_abc'), ('refund', 'refd_1')) AS one(kind, object)`);
  const { rows } = await pool.query(
    `SELECT kind, ${captureIdSql()} AS capture_id FROM ledger_journal ORDER BY kind`,
  );
  expect(rows).toEqual([
    { kind: 'payment', capture_id: 'cap_abc' },
    { kind: 'refund', capture_id: null },
  ]);
});
