import { createDatabase, specPool, type TestDatabase } from '#testing';
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
