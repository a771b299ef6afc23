import { randomText } from '#kernel';
import { createLogger, type HttpApp } from '#platform';
import { gate } from '#testing';
import { type ApiFixture, startApiFixture } from '../api.fixture.js';
import { startApi } from '../api-app.js';

let api: ApiFixture;
let another: HttpApp;

beforeAll(async () => {
  api = await startApiFixture();
  const logger = createLogger('api', { level: 'silent' });
  another = await startApi(api.config, { logger, ownsProcess: false });
});
afterAll(async () => {
  await another.close();
  await api.stop();
});

const register = async (url: string, key: string, idempotencyKey: string, merchantId: string) => {
  const answer = await fetch(`${url}/v1/provider-accounts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ merchantId, mode: 'test', apiKey: `stest_${key.slice(-16)}` }),
  });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code };
};

beforeEach(() => {
  api.provider.before = () => Promise.resolve();
});

const registered = async (platformId: string): Promise<number> => {
  const { rowCount } = await api.pool.query(
    'SELECT 1 FROM provider_accounts WHERE platform_id = $1',
    [platformId],
  );
  return rowCount ?? 0;
};

test('two concurrent account registrations under one idempotency key, in different processes, create one provider account', async () => {
  for (let round = 0; round < 5; round += 1) {
    const platformId = `p-${randomText(8)}`;
    const key = await api.newKey(platformId);
    const idempotencyKey = randomText(16);
    const answers = await Promise.all([
      register(api.http.url, key, idempotencyKey, 'm1'),
      register(another.url, key, idempotencyKey, 'm2'),
    ]);
    const [first, second] = answers.toSorted((a, b) => a.status - b.status);
    expect(first?.status).toBe(201);
    expect(['request_in_progress', 'idempotency_key_reused']).toContain(second?.code);
    expect(await registered(platformId)).toBe(1);
  }
});

test('an account registration that is repeated in another process, during or after the first execution, gets the stored response', async () => {
  const platformId = `p-${randomText(8)}`;
  const key = await api.newKey(platformId);
  const idempotencyKey = randomText(16);
  const urls = [api.http.url, another.url];
  const answers = await Promise.all(urls.map((url) => register(url, key, idempotencyKey, 'm1')));
  for (const { status } of answers) expect([201, 409]).toContain(status);
  for (const url of urls) {
    expect(await register(url, key, idempotencyKey, 'm1')).toMatchObject({ status: 201 });
  }
  expect(await registered(platformId)).toBe(1);
});

test('a slow provider call for one merchant does not delay the account registrations of other merchants', async () => {
  const slow = gate();
  const begun = gate();
  api.provider.before = () => {
    begun.open();
    return slow.opened;
  };
  const [key, anothersKey] = await Promise.all([
    api.newKey(`p-${randomText(8)}`),
    api.newKey(`p-${randomText(8)}`),
  ]);
  const first = register(api.http.url, key, randomText(16), 'm1');
  await begun.opened;
  for (let more = 0; more < 8; more += 1) {
    const answer = await register(api.http.url, key, randomText(16), 'm1');
    expect(answer).toEqual({ status: 409, code: 'account_registration_in_progress' });
  }
  api.provider.before = () => Promise.resolve();
  const another = await register(api.http.url, anothersKey, randomText(16), 'm1');
  expect(another.status).toBe(201);
  slow.open();
  expect((await first).status).toBe(201);
  expect((await register(api.http.url, key, randomText(16), 'm1')).status).toBe(201);
});

/** Ends the database session that holds the advisory lock with this name. */
const cutLock = async (name: string): Promise<void> => {
  const { rowCount } = await api.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND granted
        AND ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0)`,
    [name],
  );
  expect(rowCount).toBe(1);
};

test('an account registration that has lost the lock of its idempotency key creates nothing more at the provider', async () => {
  const platformId = `p-${randomText(8)}`;
  const key = await api.newKey(platformId);
  const idempotencyKey = randomText(16);
  const before = api.provider.calls;
  api.provider.before = () => cutLock(`idempotency ${platformId} ${idempotencyKey}`);
  const answer = await register(api.http.url, key, idempotencyKey, 'm1');
  expect(answer.status).toBe(503);
  expect(api.provider.calls).toBe(before + 1);
  api.provider.before = () => Promise.resolve();
  expect((await register(api.http.url, key, idempotencyKey, 'm1')).status).toBe(201);
  expect(await registered(platformId)).toBe(1);
});

test('the list of accounts has pages, newest first, and a filter by merchant', async () => {
  const { key, platformId } = await api.newPlatform();
  await api.pool.query(
    `INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed,
                                    webhook_endpoint_id, webhook_secret_sealed, created_at)
     SELECT 'acc_' || $1 || n, $1, 'merchant-' || n, 'test', 'x', 'we', 'x',
            timestamptz '2099-01-01' + n * interval '1 second'
       FROM generate_series(1, 1200) n`,
    [platformId],
  );
  const merchants: unknown[] = [];
  for (let cursor: unknown = ''; typeof cursor === 'string';) {
    const query = cursor === '' ? '?limit=500' : `?limit=500&cursor=${String(cursor)}`;
    const { status, body } = await api.get(`/v1/provider-accounts${query}`, key);
    expect(status).toBe(200);
    merchants.push(...(body['items'] as { merchantId: string }[]).map((one) => one.merchantId));
    cursor = body['nextCursor'];
  }
  expect(merchants).toEqual([
    ...Array.from({ length: 1_200 }, (_, n) => `merchant-${1_200 - n}`),
    'm1',
  ]);
  const { body: first } = await api.get('/v1/provider-accounts', key);
  expect(first['items']).toHaveLength(1_000);
  expect(first['nextCursor']).toEqual(expect.any(String));
  const { body: one } = await api.get('/v1/provider-accounts?merchantId=merchant-7', key);
  expect(one).toMatchObject({ items: [{ merchantId: 'merchant-7' }], nextCursor: null });
});
