import { createDatabase, type TestDatabase } from '#testing';
import { DataSource } from 'typeorm';
import { migrateBefore } from '../../../migrations/orchestrator/migrate-before.fixture.js';
import { WonDisputes1760000000500 } from '../../../migrations/orchestrator/1760000000500-won-disputes.js';

let database: TestDatabase;
let source: DataSource;

beforeEach(async () => {
  database = await createDatabase();
  source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  await migrateBefore(database.url, WonDisputes1760000000500.name);
  await source.query(`
    INSERT INTO payout_lines (payout_id, kind, object_id, account_id, provider_payment_id,
                              journal_id, currency, amount_minor, fee_minor)
    VALUES ('pout_1', 'dispute', 'dspt_1', 'acc_1', 'paym_1', 'dspt_1', 'eur', 500, 1500),
           ('pout_2', 'dispute', 'dspt_1', 'acc_1', 'paym_1', 'dspt_1', 'eur', -500, 0);
    INSERT INTO reconciliation_exceptions
           (exception_id, kind, account_id, platform_id, merchant_id, line_kind, object_id,
            payout_id, currency, amount_minor, expected, observed, since, found_at)
    VALUES ('exc_1', 'duplicate', 'acc_1', 'shop', 'm1', 'dispute', 'dspt_1', 'pout_2', 'eur',
            -500, 'one line', 'pout_1', '2030-03-02', '2030-03-02T06:05:00Z');
    INSERT INTO payment_list (payment_id, order_id, platform_id, account_id, amount_minor, currency,
                              status, provider_ids, unknown, refunded_minor, disputed, mismatched, requested_at,
                              version)
    SELECT 'pay_' || status, 'ord_1', 'shop', 'acc_1', 1000, 'eur', 'captured', '{}', '{}', 0,
           true, false,
           '2030-03-01T12:00:00Z', 2 FROM (VALUES ('won'), ('lost')) AS s(status);
    INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                        metadata)
    SELECT 'payment', 'pay_' || status, 1, gen_random_uuid(), 'DisputeMoved', 1,
           json_build_object('disputeId', 'dspt_1', 'status', status), '{}'
      FROM (VALUES ('won'), ('lost')) AS s(status)`);
  await migrateBefore(database.url);
});
afterEach(async () => {
  await source.destroy();
  await database.drop();
});

const lines = () => source.query(
  'SELECT payout_id AS payout, kind, amount_minor::int AS amount FROM payout_lines ORDER BY 1');

test('a line that gave an amount back is one of its own, and its payment is read once more', async () => {
  expect(await lines()).toEqual([
    { payout: 'pout_1', kind: 'dispute', amount: 500 },
    { payout: 'pout_2', kind: 'dispute_reversal', amount: 500 },
  ]);
  expect(await source.query('SELECT line_kind FROM reconciliation_exceptions'))
    .toEqual([{ line_kind: 'dispute_reversal' }]);
  expect(await source.query(`SELECT key, progress FROM jobs WHERE kind = 'payment.read'`))
    .toEqual([{ key: 'pay_won', progress: {} }]);
});

test('taken back, the tables are as they were', async () => {
  const runner = source.createQueryRunner();
  await new WonDisputes1760000000500().down(runner);
  await runner.release();
  expect(await lines()).toEqual([
    { payout: 'pout_1', kind: 'dispute', amount: 500 },
    { payout: 'pout_2', kind: 'dispute', amount: -500 },
  ]);
  await expect(source.query(`UPDATE payout_lines SET kind = 'dispute_reversal'`))
    .rejects.toMatchObject({ constraint: 'payout_lines_kind_check' });
});
