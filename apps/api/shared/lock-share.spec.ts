import { randomText } from '#kernel';
import { gate, waitFor } from '#testing';
import { type ApiFixture, type Reply, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});
afterEach(() => {
  api.provider.before = () => Promise.resolve();
});
afterAll(() => api.stop());

const register = (key: string, merchantId = 'm1'): Promise<Reply> =>
  api.post('/v1/provider-accounts', key, {
    merchantId,
    mode: 'test',
    apiKey: `stest_${randomText(24)}`,
  });

test('while a platform redelivers many unknown webhooks at once, another platform registers an account', async () => {
  const [noisy, other] = [await api.newKey('noisy'), await api.newKey('other')];
  const flood = Array.from({ length: 200 }, () =>
    api.post('/v1/webhook-deliveries/whm_none/redeliver', noisy),
  );
  expect((await register(other)).status).toBe(201);
  for (const answer of await Promise.all(flood)) expect(answer.status).toBe(404);
});

test('a platform with three slow registrations in progress gets a 429 for the next one, while another platform registers an account', async () => {
  const [slow, other] = [await api.newKey('slow'), await api.newKey('fast')];
  const responds = gate();
  let waiting = 0;
  api.provider.before = () => {
    waiting += 1;
    return waiting > 3 ? Promise.resolve() : responds.opened;
  };
  const registrations = ['m1', 'm2', 'm3'].map((merchantId) => register(slow, merchantId));
  await waitFor(() => waiting === 3);
  const refused = await register(slow, 'm4');
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  // It takes no lock.
  const unknown = await api.post('/v1/webhook-deliveries/whm_none/redeliver', slow);
  expect(unknown.status).toBe(404);
  expect((await register(other)).status).toBe(201);
  responds.open();
  for (const { status } of await Promise.all(registrations)) expect(status).toBe(201);
  expect((await register(slow, 'm4')).status).toBe(201);
});
