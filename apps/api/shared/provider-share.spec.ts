import { gate, waitFor } from '#testing';
import { type ApiFixture, orderBody, type Reply, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

/** An order of a new platform whose payment can be read from the provider. */
const openPayment = async (): Promise<() => Promise<Reply>> => {
  const { key } = await api.newPlatform();
  const { body } = await api.post('/v1/orders', key, orderBody());
  const paymentId = await api.openPayment(String(body['id']));
  await api.providerShows(paymentId, 'require_payment_method');
  return () => api.post(`/v1/payments/${paymentId}/refresh`, key);
};

test('a platform with 32 slow reads from the provider in progress gets a 429 for the next one, while another platform reads', async () => {
  const slow = await openPayment();
  const other = await openPayment();
  const responds = gate();
  let waiting = 0;
  api.provider.before = () => {
    waiting += 1;
    return waiting > 32 ? Promise.resolve() : responds.opened;
  };
  const reads = Array.from({ length: 32 }, slow);
  await waitFor(() => waiting === 32);
  const refused = await slow();
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await other()).status).toBe(200);
  responds.open();
  for (const { status } of await Promise.all(reads)) expect(status).not.toBe(429);
  expect((await slow()).status).not.toBe(429);
});
