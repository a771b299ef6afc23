import { createDatabase, specPool, type TestDatabase } from '#testing';
import { markProduction } from '#platform';
import type { Pool } from 'pg';
import { runKeys } from './keys-commands.js';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  pool = specPool(database.urlFor('ops'), 1);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test.each([
  [
    'an unknown scope',
    ['create', '--platform', 'p', '--scopes', 'x'],
    '--scopes must be all, or some of orders:read',
  ],
  ['a missing platform', ['create', '--scopes', 'all'], '--platform is missing'],
  [
    'the id of no platform',
    ['create', '--platform', 'console', '--scopes', 'all', '--reason', 'a new platform'],
    'a platform id is 1 to 64 letters, digits, _ or -, and not `console`',
  ],
  ['a missing command', [], 'npm run keys -- create'],
  [
    'an unknown key prefix',
    ['revoke', '--prefix', 'po_x', '--reason', 'lost'],
    'no active key with this prefix',
  ],
  [
    'a missing reason of a creation',
    ['create', '--platform', 'p', '--scopes', 'all'],
    '--reason is missing',
  ],
  ['a missing reason of a revocation', ['revoke', '--prefix', 'po_x'], '--reason is missing'],
  ['a missing reason of a key rotation', ['rotate-encryption-key'], '--reason is missing'],
])('the keys tool reports %s and how to fix the command', async (_, args, message) => {
  await expect(runKeys(pool, args)).rejects.toThrow(message);
});

test.each([
  ['orders:read,webhooks:read', 'is created'],
  ['orders:write', 'requires two people'],
  ['webhooks:write', 'requires two people'],
])('in production a key with the scopes %s %s', async (scopes, expected) => {
  await markProduction(pool);
  const args = ['create', '--platform', 'p', '--scopes', scopes, '--reason', 'a new service'];
  const created = runKeys(pool, args);
  if (expected === 'is created') expect(await created).toMatch(/^po_/);
  else await expect(created).rejects.toMatchObject({ code: 'two_people' });
});
