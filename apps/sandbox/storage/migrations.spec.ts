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
  expect(await migrateDatabase('sandbox', own.url)).toBe(7);
  expect(await migrateDatabase('sandbox', own.url)).toBe(0);
  expect((await client.query('SELECT FROM books')).rowCount).toBe(0);
});

test('the migration accepts a database on which all former migrations were executed', async () => {
  await migratedStepwise('Sandbox1763700000000', 'LiveDisputes1765400000000');
  expect(await migrateDatabase('sandbox', own.url)).toBe(7);
});

test('the migration stores what the documents of signed mandates say', async () => {
  await migrateDatabase('sandbox', own.url);
  await client.query(`
    INSERT INTO sepa (id, account_id, live, created_at, last4, name, fingerprint, country)
      VALUES ('sepa_1', 'acct_1', false, now(), '0194', 'Ann Payer', 'f', 'FR');
    INSERT INTO mandates (id, account_id, live, status, origin, sepa_id, rum, sign_token,
        upload_token, signed_at, created_at)
      VALUES ('mndt_1', 'acct_1', false, 'signed', 'import', 'sepa_1', 'R1', 's', 'u',
        now(), now());
    ALTER TABLE mandates DROP COLUMN signed_form;
    DELETE FROM sandbox_migrations WHERE name = 'SignedForms1766400000000';
  `);
  expect(await migrateDatabase('sandbox', own.url)).toBe(1);
  const { rows } = await client.query('SELECT signed_form FROM mandates');
  const form = { name: 'Ann Payer', iban: 'FR** **** **** 0194', bic: null };
  expect(rows).toEqual([{ signed_form: { ...form, creditor: null, first_debit: null } }]);
});

test('the migration rejects a database on which the last former migration was not executed', async () => {
  await migratedStepwise('Sandbox1763700000000');
  await expect(migrateDatabase('sandbox', own.url)).rejects.toThrow('delete it');
});
