import { ApiKeyStore, newApiKey } from '#platform';
import { countStatements, createDatabase, specPool, type TestDatabase } from '#testing';
import type { Pool } from 'pg';
import { KeyVerifier } from './key-verifier.js';

let database: TestDatabase;
let pool: Pool;
let store: ApiKeyStore;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  pool = specPool(database.url);
  store = new ApiKeyStore(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('a thousand simultaneous unknown keys cause two queries, and a known key is verified from the cache meanwhile', async () => {
  const keys = new KeyVerifier(store);
  const key = await store.create('shop', ['orders:read']);
  expect(await keys.verify(key)).toMatchObject({ platformId: 'shop' });
  const queries = countStatements(pool, 'api-keys-by-prefix');
  const unknown = Array.from({ length: 1_000 }, () => keys.verify(newApiKey().text));
  expect(await keys.verify(key)).toMatchObject({ platformId: 'shop' });
  expect(await Promise.all(unknown)).toEqual(unknown.map(() => null));
  expect(queries()).toBeLessThanOrEqual(2);
});

test('thousands of unknown keys do not displace a known key from the cache', async () => {
  const keys = new KeyVerifier(store);
  const key = await store.create('other', ['orders:read']);
  await keys.verify(key);
  await Promise.all(Array.from({ length: 12_000 }, () => keys.verify(newApiKey().text)));
  const queries = countStatements(pool, 'api-keys-by-prefix');
  expect(await keys.verify(key)).toMatchObject({ platformId: 'other' });
  expect(queries()).toBe(0);
});

test('a repeated unknown key is read once, and a new key works at once', async () => {
  const keys = new KeyVerifier(store);
  const { text } = newApiKey();
  const queries = countStatements(pool, 'api-keys-by-prefix');
  for (let n = 0; n < 3; n += 1) expect(await keys.verify(text)).toBeNull();
  expect(queries()).toBe(1);
  expect(await keys.verify(await store.create('third', ['orders:read']))).toMatchObject({
    platformId: 'third',
  });
});

test('a failed read is not cached', async () => {
  const key = await store.create('fourth', ['orders:read']);
  let failures = 1;
  const keys = new KeyVerifier({
    findAllLive: (prefixes) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error('away')) : store.findAllLive(prefixes);
    },
  });
  await expect(keys.verify(key)).rejects.toThrow('away');
  expect(await keys.verify(key)).toMatchObject({ platformId: 'fourth' });
});
