import { createDatabase, type TestDatabase } from '#testing';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { ensureRoles, giveToOwner } from '../../migrations/access/roles.js';
import { LapsingPayments1760000000970 } from '../../migrations/orchestrator/1760000000970-lapsing-payments.js';
import { LineCorrections1760000001100 } from '../../migrations/orchestrator/1760000001100-line-corrections.js';
import { CorrectionIndex1760000001110 } from '../../migrations/orchestrator/1760000001110-correction-index.js';
import { Cases1760000000830 } from '../../migrations/orchestrator/1760000000830-cases.js';
import { JournalFigures1760000000875 } from '../../migrations/orchestrator/1760000000875-journal-figures.js';
import { MoneyFigures1760000000870 } from '../../migrations/orchestrator/1760000000870-money-figures.js';
import { PaymentColumns1760000000695 } from '../../migrations/orchestrator/1760000000695-payment-columns.js';
import { RejectedCaptures1760000000700 } from '../../migrations/orchestrator/1760000000700-rejected-captures.js';
import { StoredResponses1760000000710 } from '../../migrations/orchestrator/1760000000710-stored-responses.js';
import { Search1760000000760 } from '../../migrations/orchestrator/1760000000760-search.js';
import { migrateDatabase } from '../../migrations/migrate-database.js';
import { rolePassword } from '../../tools/infra/roles.mjs';

let database: TestDatabase;
let client: pg.Client;

const open = async (shape?: 'orchestrator'): Promise<void> => {
  database = await createDatabase(shape);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
};
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** A migration's runner on the connection of the test. */
const runner = {
  query: async (text: string) => (await client.query<object>(text)).rows,
} as unknown as QueryRunner;

/** The migrations that change the list of payments, in their order. */
const ofPayments = () => [
  new PaymentColumns1760000000695(),
  new RejectedCaptures1760000000700(),
  new Search1760000000760(),
  new Cases1760000000830(),
  new MoneyFigures1760000000870(),
  new LapsingPayments1760000000970(),
];

const structure = async (): Promise<unknown> =>
  (
    await client.query(`
  SELECT table_name AS table, column_name AS name,
         concat_ws(' ', data_type, is_nullable, column_default) AS is
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT proname, pg_get_function_identity_arguments(oid), prosrc
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT tgrelid::regclass::text, tgname, tgfoid::regproc::text FROM pg_trigger
   WHERE NOT tgisinternal
  UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
   WHERE contype IN ('c', 'u', 'p', 'f') AND conrelid <> 0
  UNION ALL SELECT 'rebuildable_tables', name, '' FROM rebuildable_tables
  UNION ALL SELECT tablename, policyname, concat_ws(' ', roles::text, cmd, qual) FROM pg_policies
  UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  ORDER BY 1, 2, 3`)
  ).rows;

const migrate = () => migrateDatabase('orchestrator', database.url);

test('the migration creates the schema in an empty database, and changes nothing when it is repeated', async () => {
  await open();
  await ensureRoles(database.url, 'orchestrator', (role) => rolePassword(database.url, role));
  await giveToOwner(database.url, 'orchestrator');
  expect(await migrate()).toBeGreaterThan(0);
  expect((await client.query('SELECT epoch FROM log_identity')).rows).toEqual([{ epoch: 1 }]);
  expect(await migrate()).toBe(0);
});

test('the ledger accepts corrections even if its journal was being rebuilt during the migration', async () => {
  await open('orchestrator');
  const migration = new LineCorrections1760000001100();
  await migration.down(runner);
  await client.query(`SELECT begin_rebuild('{ledger_journal}')`);
  await migration.up(runner);
  await client.query(`SELECT end_rebuild('{ledger_journal}')`);
  const { rows } = await client.query<{ check: string }>(
    `SELECT pg_get_constraintdef(oid) AS check FROM pg_constraint
      WHERE conrelid = 'ledger_journal'::regclass AND conname = 'ledger_journal_kind_check'`,
  );
  expect(rows[0]?.check).toContain(`'dispute_reversal_correction'`);
});

test('the migration gives the lines of payments that are not ours the provider’s id', async () => {
  await open('orchestrator');
  const migration = new LineCorrections1760000001100();
  await client.query(`
    INSERT INTO payout_lines (payout_id, kind, object_id, account_id, provider_payment_id,
           payment_id, journal_id, currency, amount_minor)
    VALUES ('pout_1', 'payment', 'paym_1', 'acc_1', 'paym_1', 'pay_1', 'pay_1', 'eur', 1999),
           ('pout_1', 'payment', 'paym_2', 'acc_1', 'paym_2', NULL, 'paym_2', 'eur', 1999),
           ('pout_1', 'refund', 'refd_1', 'acc_1', 'paym_2', NULL, 'refd_1', 'eur', 1999)`);
  const ids = async () => {
    const { rows } = await client.query<{ id: string | null }>(
      'SELECT journal_id AS id FROM payout_lines ORDER BY object_id',
    );
    return rows.map(({ id }) => id);
  };
  await migration.down(runner);
  expect(await ids()).toEqual(['pay_1', null, 'refd_1']);
  await migration.up(runner);
  expect(await ids()).toEqual(['pay_1', 'paym_2', 'refd_1']);
});

test('the migration refuses a database with corrections of an unreleased version, which this release cannot read', async () => {
  await open('orchestrator');
  const migration = new LineCorrections1760000001100();
  await migration.down(runner);
  await client.query(`
    ALTER TABLE ledger_journal DROP CONSTRAINT ledger_journal_kind_check;
    INSERT INTO ledger_journal (event_id, kind, object_id, stream_id, account_id, platform_id,
           currency, amount_minor, payer_minor, provider_minor, merchant_minor, fees_minor,
           vat_minor, disputes_minor, at)
    VALUES (gen_random_uuid(), 'fee_correction', 'paym_1', 'pout_1', 'acc_1', 'shop', 'eur', 0, 0,
            -3, 0, 3, 0, 0, now())`);
  await expect(migration.up(runner)).rejects.toThrow(
    'this database has events PayoutFeeCorrected of an unreleased version',
  );
});

test('the list of payments keeps its new columns even if a worker of the last release was rebuilding the list during the migration', async () => {
  await open('orchestrator');
  const migrations = ofPayments();
  const before = await structure();
  for (const migration of migrations.toReversed()) await migration.down(runner);
  await client.query(`
    INSERT INTO projection_rebuilds (projection, started_at) VALUES ('payment_list', now());
    SELECT begin_rebuild('{payment_list}');
    INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                        metadata)
    VALUES ('payment', 'pay_1', 1, gen_random_uuid(), 'IntentRequested', 1, '{}', '{}')`);
  for (const migration of migrations) await migration.up(runner);

  await expect(client.query(`SELECT end_rebuild('{payment_list}')`)).rejects.toThrow(
    'relation "payment_list_rebuild" does not exist',
  );
  // Marks the rebuild that a worker of the last release had begun as failed.
  await client.query(`UPDATE projection_rebuilds SET failure = 'a bug', ended_at = now()
                       WHERE id = 1`);
  await expect(client.query(`SELECT begin_rebuild('{payment_list}')`)).rejects.toMatchObject({
    code: 'P0001',
    message: expect.stringContaining('payment_list is rebuilt by a process of a newer release'),
  });
  const { rows } = await client.query(
    'SELECT id::int, projection, started_at FROM projection_rebuilds WHERE ended_at IS NULL',
  );
  expect(rows).toEqual([{ id: 2, projection: 'payment_list', started_at: null }]);
  expect(await structure()).toEqual(before);
});

test('no migration creates an index while it locks the list against reads', async () => {
  await open('orchestrator');
  const migrations = [
    ...ofPayments(),
    new JournalFigures1760000000875(),
    new LineCorrections1760000001100(),
    new CorrectionIndex1760000001110(),
  ];
  for (const migration of migrations.toReversed()) await migration.down(runner);
  for (const migration of migrations) {
    await client.query('BEGIN');
    await migration.up(runner);
    // PostgreSQL takes a ShareLock on a table while it creates an index.
    const { rows } = await client.query(`
      SELECT relation::regclass::text AS list FROM pg_locks
       WHERE pid = pg_backend_pid() AND locktype = 'relation'
         AND relation::regclass::text IN ('order_list', 'payment_list', 'merchant_list',
                                          'payout_list', 'ledger_journal')
       GROUP BY relation HAVING array_agg(mode) @> '{AccessExclusiveLock,ShareLock}'`);
    await client.query('COMMIT');
    expect(rows).toEqual([]);
  }
});

test('the migration renames the fields in stored responses of a release before 0.2.0 to the present names', async () => {
  await open('orchestrator');
  const metadata = { takenBackMinor: 'of the platform' };
  const stored = [
    { takenBackMinor: 5, metadata, payment: { outcomeUnknown: ['capture'] } },
    { takenBackMinor: 0, metadata, payment: null },
    { outcomeUnknown: [] },
    { orders: { open: true, reason: null } },
    { id: 'acc_1', status: 'waiting' },
    { id: 'rfr_1', status: 'requested' },
  ];
  for (const [key, body] of stored.entries()) {
    await client.query(
      `INSERT INTO idempotency_keys (platform_id, key, fingerprint, status, body)
       VALUES ('shop', $1, '', 202, $2)`,
      [String(key), body],
    );
  }
  await new StoredResponses1760000000710().up(runner);
  const { rows } = await client.query<{ body: unknown }>(
    'SELECT body FROM idempotency_keys ORDER BY key',
  );
  expect(rows.map(({ body }) => body)).toEqual([
    { chargedBackMinor: 5, metadata, payment: { unknownResults: ['capture'] } },
    { chargedBackMinor: 0, metadata, payment: null },
    { unknownResults: [] },
    { orders: { enabled: true, reason: null } },
    { id: 'acc_1', status: 'awaiting_approval' },
    { id: 'rfr_1', status: 'requested' },
  ]);
});

test('the migration refuses a database of a release before 0.2.0, and changes nothing in the database', async () => {
  await open('orchestrator');
  await client.query(`
    DELETE FROM migrations;
    INSERT INTO migrations (timestamp, name) VALUES (1760000000680, 'RestoreJobs1760000000680')`);
  const before = await structure();
  await expect(migrate()).rejects.toThrow(
    'this database is of a release before 0.2.0: first migrate it with release 0.2.0, then with ' +
      'this release',
  );
  expect(await structure()).toEqual(before);
  expect((await client.query('SELECT name FROM migrations')).rows).toEqual([
    { name: 'RestoreJobs1760000000680' },
  ]);
});
