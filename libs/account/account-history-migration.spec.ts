import type { Pool } from 'pg';
import { wallClock } from '#kernel';
import { openStore } from '#orchestrator';
import { createDatabase, specPool, type TestDatabase } from '#testing';
import { migrateBefore } from '../../migrations/orchestrator/migrate-before.fixture.js';
import { accountAggregate } from './domain/account-aggregate.js';

const THIS = 'ProviderAccountHistory1760000000310';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = specPool(database.url);
  await migrateBefore(database.url, THIS);
  await pool.query(`
    INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed,
                                   webhook_endpoint_id, webhook_secret_sealed, created_at)
    VALUES ('acc_old', 'shop', 'm1', 'live', 'k', 'we_1', 's', '2030-03-01T12:00:00.5Z'),
           ('acc_begun', 'shop', 'm2', 'live', 'k', NULL, NULL, '2030-03-01T12:00:00Z')`);
  await migrateBefore(database.url);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('an account from before has a history, and orders go on to use it', async () => {
  const store = openStore(pool, wallClock);
  const { state, version } = await store.load(accountAggregate, 'acc_old');
  const ordersFrom = '2030-03-01T12:00:00.500Z';
  expect({ state, version }).toEqual({
    version: 1,
    state: {
      status: 'approved', ordersFrom, notBefore: null,
      terms: { platformId: 'shop', merchantId: 'm1', mode: 'live' },
    },
  });
  const { rows } = await pool.query(
    `SELECT account_id, status FROM account_standing($1) ORDER BY account_id`, [ordersFrom]);
  expect(rows).toEqual([
    { account_id: 'acc_begun', status: 'waiting' }, { account_id: 'acc_old', status: 'taking_orders' },
  ]);
  expect(await store.holdersOf('account.first', ['shop/m1/live', 'shop/m2/live']))
    .toEqual(new Map([['shop/m1/live', 'acc_old']]));
});

test('a second one of the merchant fits beside it, and is recorded in one transaction', async () => {
  await pool.query(`
    INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed)
    VALUES ('acc_new', 'shop', 'm1', 'live', 'k')`);
  const store = openStore(pool, wallClock);
  const metadata =
    { correlationId: 'acc_new', causationId: 'req', actor: 'platform:shop', traceparent: null };
  const at = wallClock.now();
  await store.step(metadata, async (step) => {
    await step.execute(accountAggregate, 'acc_new', {
      type: 'RegisterAccount', platformId: 'shop', merchantId: 'm1', mode: 'live', isFirst: false,
      notBefore: null, at,
    });
    await step.execute(accountAggregate, 'acc_new', { type: 'ApproveAccount', coolingOffMs: 0, at });
  });
  const { rows: lines } = await pool.query(
    'SELECT account_id, taking_orders FROM account_schedule ORDER BY id');
  expect(lines).toEqual([
    { account_id: 'acc_old', taking_orders: true }, { account_id: 'acc_new', taking_orders: true },
  ]);
  const { rows: audit } = await pool.query(
    `SELECT action, actor, request_id FROM audit WHERE subject_id = 'acc_new' ORDER BY id`);
  const by = { actor: 'platform:shop', request_id: 'req' };
  expect(audit).toEqual([
    { action: 'account.waiting', ...by }, { action: 'account.approved', ...by },
  ]);
});
