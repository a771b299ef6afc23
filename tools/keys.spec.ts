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
  ['no platform', ['create', '--scopes', 'all'], '--platform is missing'],
  ['no verb', [], 'npm run keys -- create'],
  [
    'no such key',
    ['revoke', '--prefix', 'po_x', '--reason', 'lost'],
    'no active key with this prefix',
  ],
  ['no reason', ['create', '--platform', 'p', '--scopes', 'all'], '--reason is missing'],
  ['an end without a reason', ['revoke', '--prefix', 'po_x'], '--reason is missing'],
  ['secrets without a reason', ['rotate-encryption-key'], '--reason is missing'],
])('the keys tool says how to fix the problem: %s', async (_, args, message) => {
  await expect(runKeys(pool, args)).rejects.toThrow(message);
});
