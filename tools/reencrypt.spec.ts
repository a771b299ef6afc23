import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { assert, newId } from '#kernel';
import { createSecretBox, type SecretBox } from '#platform';
import { createDatabase, type DatabaseShape, specPool, type TestDatabase } from '#testing';
import { ORCHESTRATOR_SECRETS, reencrypt, type Reencrypted, SANDBOX_SECRETS } from './reencrypt.js';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [key('old'), key('new')];
const before = createSecretBox(OLD);
const rotating = createSecretBox(`${NEW},${OLD}`);
const after = createSecretBox(NEW);

const databases: TestDatabase[] = [];
let orchestrator: pg.Pool;
let sandbox: pg.Pool;

const migrated = async (shape: DatabaseShape): Promise<pg.Pool> => {
  const database = await createDatabase(shape);
  databases.push(database);
  return specPool(database.url, 1);
};

beforeAll(async () => {
  orchestrator = await migrated('orchestrator');
  sandbox = await migrated('sandbox');
});
beforeEach(() => orchestrator.query('TRUNCATE provider_accounts CASCADE'));
afterAll(async () => {
  await Promise.all([orchestrator.end(), sandbox.end()]);
  for (const database of databases) await database.drop();
});

const account = async (box: SecretBox, id = newId('acc')): Promise<string> => {
  const sealed = (field: string) => Buffer.from(box.seal(`${field} of ${id}`, `${id}.${field}`));
  await orchestrator.query(
    `INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed,
                                    webhook_endpoint_id, webhook_secret_sealed)
     VALUES ($1, 'p', $1, 'test', $2, 'we', $3)`,
    [id, sealed('api_key'), sealed('webhook_secret')],
  );
  return id;
};

const reencryptAccounts = async (box = rotating): Promise<readonly Reencrypted[]> => {
  const results: Reencrypted[] = [];
  for (const column of ORCHESTRATOR_SECRETS.filter(({ table }) => table === 'provider_accounts')) {
    results.push(await reencrypt(orchestrator, column, box));
  }
  return results;
};

const opened = async (box: SecretBox): Promise<readonly string[]> => {
  const { rows } = await orchestrator.query<{ id: string; key: Buffer; secret: Buffer }>(
    `SELECT id, api_key_sealed AS key, webhook_secret_sealed AS secret FROM provider_accounts`,
  );
  return rows.flatMap(({ id, key: apiKey, secret }) => [
    box.open(apiKey.toString(), `${id}.api_key`),
    box.open(secret.toString(), `${id}.webhook_secret`),
  ]);
};

test('the key rotation encrypts every secret with the new key, in several chunks', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 450; n += 1) ids.push(await account(n % 10 === 0 ? rotating : before));
  expect(() => after.open(before.seal('x', 'y'), 'y')).toThrow('no key with the id');
  expect(await reencryptAccounts()).toEqual([
    { place: 'provider_accounts.api_key_sealed', count: 405, unopened: [] },
    { place: 'provider_accounts.webhook_secret_sealed', count: 405, unopened: [] },
  ]);
  expect((await opened(after)).toSorted()).toEqual(
    ids.flatMap((id) => [`api_key of ${id}`, `webhook_secret of ${id}`]).toSorted(),
  );
});

test('the key rotation also encrypts the stored details of a merchant who is not registered yet', async () => {
  const column = ORCHESTRATOR_SECRETS.find(({ table }) => table === 'merchant_details');
  assert(column, 'the details are a secret');
  await orchestrator.query(
    'INSERT INTO merchant_details (ref, merchant_id, sealed) VALUES ($1, $2, $3)',
    ['det_1', 'mer_1', before.seal('who they are', 'det_1')],
  );
  expect(await reencrypt(orchestrator, column, rotating)).toMatchObject({ count: 1, unopened: [] });
  const { rows } = await orchestrator.query<{ sealed: string }>(
    'SELECT sealed FROM merchant_details',
  );
  expect(after.open(String(rows[0]?.sealed), 'det_1')).toBe('who they are');
});

test('a repeated key rotation skips the secrets that already use the new key', async () => {
  await account(before);
  await account(rotating);
  expect((await reencryptAccounts()).map(({ count }) => count)).toEqual([1, 1]);
  expect((await reencryptAccounts()).map(({ count }) => count)).toEqual([0, 0]);
});

test('the key rotation accepts an incompletely registered account, which has no webhook secret', async () => {
  const id = await account(before);
  await orchestrator.query('UPDATE provider_accounts SET webhook_secret_sealed = NULL');
  expect((await reencryptAccounts()).map(({ count }) => count)).toEqual([1, 0]);
  const { rows } = await orchestrator.query<{ key: Buffer }>(
    'SELECT api_key_sealed AS key FROM provider_accounts',
  );
  expect(after.open(String(rows[0]?.key), `${id}.api_key`)).toBe(`api_key of ${id}`);
});

test('the key rotation reports a secret that it cannot decrypt, leaves the secret unchanged, and continues', async () => {
  const stranger = await account(createSecretBox(key('lost')), 'acc_a');
  const ours = await account(before, 'acc_b');
  expect(await reencryptAccounts()).toMatchObject([
    { count: 1, unopened: [stranger] },
    { count: 1, unopened: [stranger] },
  ]);
  await orchestrator.query('DELETE FROM provider_accounts WHERE id = $1', [stranger]);
  expect(await opened(after)).toEqual([`api_key of ${ours}`, `webhook_secret of ${ours}`]);
});

test('the key rotation does not overwrite a secret that was replaced during the run', async () => {
  const id = await account(before);
  const replaced = before.seal('another', `${id}.api_key`);
  const slow: SecretBox = {
    ...rotating,
    open: (sealed, purpose) => {
      // This change is executed between the tool's read and its write, because the only connection
      // executes statements in the order in which they are sent.
      void orchestrator.query('UPDATE provider_accounts SET api_key_sealed = $1', [
        Buffer.from(replaced),
      ]);
      return rotating.open(sealed, purpose);
    },
  };
  const keys = ORCHESTRATOR_SECRETS.filter(({ column }) => column === 'api_key_sealed');
  for (const column of keys) await reencrypt(orchestrator, column, slow);
  expect((await opened(rotating))[0]).toBe('another');
});

test("the key rotation encrypts the sandbox's secrets, too, and leaves unencrypted values unchanged", async () => {
  const plain = 'ab'.repeat(32);
  await sandbox.query(
    `INSERT INTO webhook_endpoints (id, account_id, live, url, enabled, secret, created_at)
     VALUES ('we_1', 'acct_house', false, 'https://m.test', true, $1, now()),
            ('we_2', 'acct_house', false, 'https://m.test', true, $2, now())`,
    [before.seal('secret', 'we_1'), plain],
  );
  await sandbox.query(`INSERT INTO sandbox_settings (name, value) VALUES ('fingerprint_key', $1)`, [
    before.seal('fingerprints', 'fingerprint_key'),
  ]);
  // Disables the foreign key from a merchant's key to its company, because this test needs no
  // company.
  await sandbox.query('ALTER TABLE merchant_keys DISABLE TRIGGER ALL');
  await sandbox.query(
    `INSERT INTO merchant_keys (hash, company_id, live, sealed, created_at)
     VALUES ('\\x01', 'comp_1', false, $1, now())`,
    [before.seal('stest_key', 'comp_1')],
  );
  const results: Reencrypted[] = [];
  for (const column of SANDBOX_SECRETS) results.push(await reencrypt(sandbox, column, rotating));
  expect(results.map(({ place, count }) => [place, count])).toEqual([
    ['webhook_endpoints.secret', 1],
    ['merchant_keys.sealed', 1],
    ['sandbox_settings.value', 1],
  ]);
  const { rows } = await sandbox.query<{ secret: string }>(
    'SELECT secret FROM webhook_endpoints ORDER BY id',
  );
  expect(after.open(rows[0]?.secret ?? '', 'we_1')).toBe('secret');
  expect(rows[1]?.secret).toBe(plain);
  const { rows: keys } = await sandbox.query<{ sealed: string }>(
    'SELECT sealed FROM merchant_keys',
  );
  expect(after.open(keys[0]?.sealed ?? '', 'comp_1')).toBe('stest_key');
});
