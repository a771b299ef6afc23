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
    [last.replace(/\D+/, ''), last]);
  await client.query(`INSERT INTO reservations VALUES ('scope', 'key', 'holder')`);
};

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
  expect((await client.query('SELECT holder FROM reservations')).rows).toEqual([{ holder: 'holder' }]);
});

test('refuses a database of an earlier release, and changes nothing in it', async () => {
  await migratedStepwise('ShortClaims1760000000670');
  await expect(migrate()).rejects.toThrow(
    'this database has not come to RestoreJobs1760000000680: migrate it with the last release ' +
    'before 1.0 first, then with this one');
  expect((await client.query(`SELECT FROM migrations WHERE name LIKE 'Orchestrator%'`)).rowCount)
    .toBe(0);
});
