import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { createDatabase, type TestDatabase } from '#testing';
import { sandboxDataSource } from '../../../migrations/sandbox/data-source.js';

let own: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  own = await createDatabase();
  client = new pg.Client({ connectionString: own.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await own.drop();
});

/** Brings the database to the schema as it was before the named migration; null: to the present. */
const migrateUpTo = async (before: string | null): Promise<void> => {
  const { options } = sandboxDataSource(own.url);
  const all = options.migrations as readonly { readonly name: string }[];
  const end = before === null ? all.length : all.findIndex(({ name }) => name === before);
  expect(end).toBeGreaterThan(0);
  const some = { ...options, migrations: all.slice(0, end) } as DataSourceOptions;
  const source = await new DataSource(some).initialize();
  await source.runMigrations();
  await source.destroy();
};

const ENDPOINT = `
  INSERT INTO webhook_endpoints (id, live, url, enabled, secret, created_at)
  VALUES ($1, false, 'https://merchant.example/hook', true, 'secret', $2)`;

test('endpoints that a merchant may have made before there were accounts get nothing', async () => {
  await migrateUpTo('Accounts1764800000000');
  await client.query(ENDPOINT, ['we_house', '2026-03-01T10:00:00Z']);
  await client.query(`
    INSERT INTO onboarding_companies (id, partner, live, status, file, account_id, link_token,
      created_at)
    VALUES ('comp_1', 'p', false, 'available', '{}', 'acct_1', 'link', '2026-03-01T10:00:00Z');
    INSERT INTO onboarding_status_changes (company_id, partner, live, status,
      terminated_by_service, at)
    VALUES ('comp_1', 'p', false, 'available', false, '2026-03-02T10:00:00Z');
  `);
  await client.query(ENDPOINT, ['we_unknown', '2026-03-02T10:00:00Z']);
  await client.query(`
    INSERT INTO events (id, live, type, object_id, body, created_at)
    VALUES ('evt_1', false, 'payment.created', 'paym_1', '{}', '2026-03-02T11:00:00Z');
    INSERT INTO deliveries (event_id, endpoint_id, due_at)
    VALUES ('evt_1', 'we_house', '2026-03-02T11:00:15Z'),
           ('evt_1', 'we_unknown', '2026-03-02T11:00:15Z');
  `);
  await migrateUpTo(null);
  const { rows } = await client.query(`
    SELECT w.id, w.enabled, d.status FROM webhook_endpoints w
    JOIN deliveries d ON d.endpoint_id = w.id ORDER BY w.seq`);
  expect(rows).toEqual([
    { id: 'we_house', enabled: true, status: 'waiting' },
    { id: 'we_unknown', enabled: false, status: 'dropped' },
  ]);
});

test('without keys of merchants every endpoint is the sandbox’s own', async () => {
  await migrateUpTo('Accounts1764800000000');
  await client.query(ENDPOINT, ['we_house', '2026-03-01T10:00:00Z']);
  await migrateUpTo(null);
  const { rows } = await client.query('SELECT enabled FROM webhook_endpoints');
  expect(rows).toEqual([{ enabled: true }]);
});

test('the last migrations can be taken back, and done again', async () => {
  await migrateUpTo(null);
  const source = await sandboxDataSource(own.url).initialize();
  try {
    for (let undone = 0; undone < 6; undone += 1) await source.undoLastMigration();
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
});
