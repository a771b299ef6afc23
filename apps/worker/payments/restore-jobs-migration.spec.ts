import { JobTable, type LaneName } from '#jobs';
import { parseInstant } from '#kernel';
import { createDatabase, specPool, type TestDatabase } from '#testing';
import type pg from 'pg';
import { migrateBefore } from '../../../migrations/orchestrator/migrate-before.fixture.js';
import { RestoreJobs1760000000680 } from '../../../migrations/orchestrator/1760000000680-restore-jobs.js';

const NOW = parseInstant('2030-03-01T12:00:00Z');

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = specPool(database.url, 2);
  await migrateBefore(database.url, RestoreJobs1760000000680.name);
  await pool.query(`
    INSERT INTO restore_reads (payment_id, account_id, claimed_until)
    VALUES ('pay_1', 'acc_1', NULL), ('pay_2', 'acc_1', now() - interval '1 s'),
           ('pay_3', 'acc_1', now() + interval '1 h');
    INSERT INTO lost_debit_reads (account_id, lost_since, next_start)
    VALUES ('acc_1', '2030-03-01T11:00:00Z', 200);
    INSERT INTO jobs (kind, key, subject_id, account_id, state, due_at)
    VALUES ('refund', '1', 'pay_1', 'acc_1', 'ready', 'epoch'),
           ('refund', '2', 'pay_9', 'acc_9', 'ready', 'epoch')`);
  await migrateBefore(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const claim = async (lane: LaneName, kind: string) =>
  new JobTable(pool).claim({
    now: NOW, kinds: [{ kind, lane }], rooms: [{ lane, room: 10 }], load: [],
  });

test('what was to be read since a restore still is, and its account makes no call until then', async () => {
  const reads = await claim('reads', 'restore.payment');
  expect(reads.map(({ key }) => key).toSorted()).toEqual(['pay_1', 'pay_2']);
  expect(await claim('lists', 'restore.debits')).toMatchObject([{
    key: 'acc_1', accountId: 'acc_1',
    progress: { lostSince: Date.parse('2030-03-01T11:00:00Z') / 1_000, start: 200 },
  }]);
  expect((await claim('calls', 'refund')).map(({ key }) => key)).toEqual(['2']);
  await pool.query(`DELETE FROM jobs WHERE kind = 'restore.payment'`);
  expect((await claim('calls', 'refund')).map(({ key }) => key)).toEqual(['1']);
});
