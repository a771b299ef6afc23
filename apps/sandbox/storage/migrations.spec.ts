import pg from 'pg';
import { createDatabase, type TestDatabase } from '#testing';
import { migrateDatabase } from '../../../migrations/migrate-database.js';

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

/**
 * A database that was created by the former migrations, before a single migration replaced them;
 * `done`: the names of the executed migrations.
 */
const migratedStepwise = async (...done: readonly string[]): Promise<void> => {
  await migrateDatabase('sandbox', own.url);
  await client.query('DELETE FROM sandbox_migrations');
  for (const name of done) {
    const timestamp = Number(name.replace(/\D+/, ''));
    await client.query('INSERT INTO sandbox_migrations (timestamp, name) VALUES ($1, $2)', [
      timestamp,
      name,
    ]);
  }
};

test('the migration creates the schema, and a second run changes nothing', async () => {
  expect(await migrateDatabase('sandbox', own.url)).toBe(3);
  expect(await migrateDatabase('sandbox', own.url)).toBe(0);
  expect((await client.query('SELECT FROM books')).rowCount).toBe(0);
});

test('the migration accepts a database on which all former migrations were executed', async () => {
  await migratedStepwise('Sandbox1763700000000', 'LiveDisputes1765400000000');
  expect(await migrateDatabase('sandbox', own.url)).toBe(3);
});

test('the migration rejects a database on which the last former migration was not executed', async () => {
  await migratedStepwise('Sandbox1763700000000');
  await expect(migrateDatabase('sandbox', own.url)).rejects.toThrow('delete it');
});
