import { createDatabase, type TestDatabase } from '#testing';
import pg from 'pg';
import { ensureRoles, giveToOwner } from '../../migrations/access/roles.js';
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

/** The schema as the migrations before the first release left it, of which `last` was run last. */
const migratedStepwise = async (last: string): Promise<void> => {
  await open('orchestrator');
  await client.query(
    `UPDATE migrations SET timestamp = $1, name = $2 WHERE name LIKE 'Orchestrator%'`,
    [last.replace(/\D+/, ''), last],
  );
  await client.query(`
    ALTER TABLE order_list DROP COLUMN paid_minor;
    ALTER TABLE payment_list DROP COLUMN captured_minor;
    INSERT INTO reservations VALUES ('scope', 'key', 'holder')`);
};

const columnsAndIndexes = async (): Promise<unknown> =>
  (
    await client.query(`
  SELECT table_name AS table, column_name AS name, data_type || column_default AS is
    FROM information_schema.columns WHERE table_name IN ('order_list', 'payment_list')
  UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  ORDER BY 1, 2`)
  ).rows;

const migrate = () => migrateDatabase('orchestrator', database.url);

test('the migrations make the schema from empty, and a second run changes nothing', async () => {
  await open();
  await ensureRoles(database.url, 'orchestrator', (role) => rolePassword(database.url, role));
  await giveToOwner(database.url, 'orchestrator');
  expect(await migrate()).toBeGreaterThan(0);
  expect((await client.query('SELECT epoch FROM log_identity')).rows).toEqual([{ epoch: 1 }]);
  expect(await migrate()).toBe(0);
});

test('keeps a database that the last release before 1.0 has migrated', async () => {
  await migratedStepwise('RestoreJobs1760000000680');
  expect(await migrate()).toBeGreaterThan(0);
  expect((await client.query('SELECT holder FROM reservations')).rows).toEqual([
    { holder: 'holder' },
  ]);
  expect(
    (await client.query('SELECT projection FROM projection_rebuilds ORDER BY 1')).rows,
  ).toEqual(
    ['merchant_exceptions', 'merchant_list', 'order_list', 'payment_list'].map((projection) => ({
      projection,
    })),
  );
  const migrated = await columnsAndIndexes();
  await client.end();
  await database.drop();
  await open('orchestrator');
  expect(migrated).toEqual(await columnsAndIndexes());
});

test('refuses a database of an earlier release, and changes nothing in it', async () => {
  await migratedStepwise('ShortClaims1760000000670');
  await expect(migrate()).rejects.toThrow(
    'this database has not come to RestoreJobs1760000000680: migrate it with the last release ' +
      'before 1.0 first, then with this one',
  );
  expect(
    (await client.query(`SELECT FROM migrations WHERE name LIKE 'Orchestrator%'`)).rowCount,
  ).toBe(0);
});
