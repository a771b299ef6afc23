import { randomText } from '#kernel';
import { createLogger, type HttpApp } from '#platform';
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
      'authorization': `Bearer ${key}`, 'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ merchantId, mode: 'test', apiKey: 'stest_abcdefghijklmnop' }),
  });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code };
};

const registered = async (platformId: string): Promise<number> => {
  const { rowCount } = await api.pool.query(
    'SELECT 1 FROM provider_accounts WHERE platform_id = $1', [platformId]);
  return rowCount ?? 0;
};

test('under one key two processes register one account, whatever the second asks for', async () => {
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
    expect(['request_in_flight', 'idempotency_key_reused']).toContain(second?.code);
    expect(await registered(platformId)).toBe(1);
  }
});

test('the same request at two processes gets one answer, at once or when it is repeated', async () => {
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
