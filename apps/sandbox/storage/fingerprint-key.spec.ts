import { randomBytes } from 'node:crypto';
import { createDatabase, type TestDatabase } from '#testing';
import { Database } from './database.js';
import { fingerprintKey } from './fingerprint-key.js';

const secretsKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

let created: TestDatabase;
let database: Database;
beforeEach(async () => {
  created = await createDatabase('sandbox');
  database = new Database(created.url, () => undefined);
});
afterEach(async () => {
  await database.end();
  await created.drop();
});

const stored = async (): Promise<string> => {
  const [row] = await database.query<{ value: string }>(
    { name: 'spec:setting', text: 'SELECT value FROM sandbox_settings' },
    [],
  );
  return row?.value ?? '';
};

test('the fingerprint key stays the same when SANDBOX_SECRETS_KEY is rotated', async () => {
  const old = secretsKey('old');
  const key = await fingerprintKey(database, old);
  expect(key).toHaveLength(32);
  expect(await fingerprintKey(database, old)).toEqual(key);
  expect(await fingerprintKey(database, `${secretsKey('new')},${old}`)).toEqual(key);
});

test('the fingerprint key is stored encrypted and cannot be decrypted without SANDBOX_SECRETS_KEY', async () => {
  const key = await fingerprintKey(database, secretsKey('k1'));
  expect(await stored()).toMatch(/^k1\./);
  expect(await stored()).not.toContain(key.toString('hex'));
  await expect(fingerprintKey(database, null)).rejects.toThrow('set SANDBOX_SECRETS_KEY');
  await expect(fingerprintKey(database, secretsKey('k2'))).rejects.toThrow(
    "no key with the id 'k1'",
  );
});

test('a fingerprint key created without SANDBOX_SECRETS_KEY stays the same when SANDBOX_SECRETS_KEY is set later', async () => {
  const key = await fingerprintKey(database, null);
  expect(await fingerprintKey(database, secretsKey('k1'))).toEqual(key);
});
