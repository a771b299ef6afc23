import { randomText } from '#kernel';
import { createLogger } from '#platform';
import { startApi } from '../api-app.js';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

/** A platform whose account belongs to a provider without any capability. */
const withoutCapabilities = async (): Promise<string> => {
  const { key, accountId } = await api.newPlatform();
  await api.pool.query(`UPDATE provider_accounts SET provider = 'none' WHERE id = $1`, [accountId]);
  return key;
};

test('an order is refused, and no event is recorded, when the provider supports no payments', async () => {
  const key = await withoutCapabilities();
  const answer = await api.post('/v1/orders', key, orderBody());
  expect(answer).toMatchObject({
    status: 422,
    body: {
      code: 'capability_missing',
      detail: 'the provider of this account does not support payments through this service',
      errors: [{ code: 'payments' }],
    },
  });
  expect(await api.call('GET', '/v1/orders', { key })).toMatchObject({ body: { items: [] } });
});

const refusedFor = async (
  what: string,
  capability: string,
  arrange: (paymentId: string) => Promise<void>,
): Promise<void> => {
  const { key, accountId } = await api.newPlatform();
  const { body } = await api.post('/v1/orders', key, orderBody());
  await arrange(await api.openPayment(String(body['id'])));
  await api.pool.query(`UPDATE provider_accounts SET provider = 'none' WHERE id = $1`, [accountId]);
  const logger = createLogger('api', { level: 'silent' });
  // Starts a second API process, because the first has cached the account's provider.
  const other = await startApi(api.config, { logger, ownsProcess: false });
  const events = () => api.pool.query('SELECT count(*) FROM events');
  try {
    const { rows: before } = await events();
    const answer = await fetch(`${other.url}/v1/orders/${String(body['id'])}/${what}`, {
      method: 'POST',
      body: '{}',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomText(16),
      },
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      code: 'capability_missing',
      errors: [{ code: capability }],
    });
    expect((await events()).rows).toEqual(before);
  } finally {
    await other.close();
  }
};

test('a refund is refused when the order’s provider supports no refunds', () =>
  refusedFor('refunds', 'refunds', async (paymentId) => {
    await api.providerShows(paymentId, 'captured');
  }));

test('a cancellation is refused, and no event is recorded, when the order’s provider supports no cancellations', () =>
  refusedFor('cancel', 'cancelableUntil', () => Promise.resolve()));
