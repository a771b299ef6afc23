import { captureIdSql } from '#payout';
import { createDatabase, specPool, type TestDatabase } from '#testing';
import type { Pool } from 'pg';
import { migrateDatabase } from '../../../migrations/migrate-database.js';
import {
  CapturesOfTheLedger1760000000660,
} from '../../../migrations/orchestrator/1760000000660-captures-of-the-ledger.js';
import { orchestratorDataSource } from '../../../migrations/orchestrator/data-source.js';

let database: TestDatabase;
let pool: Pool;

beforeEach(async () => {
  database = await createDatabase('orchestrator');
  pool = specPool(database.url);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const takeBack = async (): Promise<void> => {
  const source = await orchestratorDataSource(database.url).initialize();
  const runner = source.createQueryRunner();
  await new CapturesOfTheLedger1760000000660().down(runner);
  await runner.query(`DELETE FROM migrations WHERE name = 'CapturesOfTheLedger1760000000660'`);
  await runner.release();
  await source.destroy();
};

test('what was booked before has the id that its capture is read with', async () => {
  await takeBack();
  await pool.query(`
    INSERT INTO ledger_journal
    SELECT gen_random_uuid(), kind, object, 'pay_abc', 'acc_1', 'shop', 'eur', 10,
           -10, 10, 0, 0, 0, 0, now()
      FROM (VALUES ('payment', 'pay_abc'), ('refund', 'refd_1')) AS one(kind, object)`);
  await migrateDatabase('orchestrator', database.url);
  const { rows } = await pool.query(
    `SELECT kind, ${captureIdSql()} AS capture_id FROM ledger_journal ORDER BY kind`);
  expect(rows).toEqual([
    { kind: 'payment', capture_id: 'cap_abc' }, { kind: 'refund', capture_id: null },
  ]);
});
