import { newId } from '#kernel';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

type Platform = Awaited<ReturnType<ApiFixture['newPlatform']>>;

/**
 * Inserts the row that the projection writes for a mandate debit for the platform's merchant `m1`.
 */
const debited = async (
  { platformId, accountId }: Platform,
  mandateId: string,
  at: string,
): Promise<string> => {
  const orderId = newId('ord');
  await api.pool.query(
    `INSERT INTO mandate_use (payment_id, order_id, platform_id, account_id, mandate_id,
                              debited_at, version)
     VALUES ($1, $2, $3, $4, $5, $6, 3)`,
    [newId('pay'), orderId, platformId, accountId, mandateId, at],
  );
  return orderId;
};

const byMandate = (mandateId: string, changes: object = {}) =>
  orderBody({ capture: { policy: 'automatic' }, mandateId, ...changes });

test('the list of mandates shows each mandate once, with its first order and its debits', async () => {
  const platform = await api.newPlatform();
  const firstOrderId = await debited(platform, 'sepa_a', '2026-03-01T10:00:00Z');
  await debited(platform, 'sepa_a', '2026-04-01T10:00:00Z');
  await debited(platform, 'sepa_b', '2026-03-05T10:00:00Z');
  const { status, body } = await api.get('/v1/mandates', platform.key);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    nextCursor: null,
    items: [
      { id: 'sepa_b', debits: 1 },
      {
        id: 'sepa_a',
        merchantId: 'm1',
        mode: 'test',
        firstOrderId,
        debits: 2,
        firstDebitAt: '2026-03-01T10:00:00.000Z',
        lastDebitAt: '2026-04-01T10:00:00.000Z',
      },
    ],
  });
  const first = await api.get('/v1/mandates?limit=1', platform.key);
  expect(first.body).toMatchObject({ items: [{ id: 'sepa_b' }] });
  const after = `/v1/mandates?limit=1&cursor=${String(first.body['nextCursor'])}`;
  expect((await api.get(after, platform.key)).body).toMatchObject({
    items: [{ id: 'sepa_a' }],
    nextCursor: null,
  });
  expect((await api.get('/v1/mandates?sort=updated', platform.key)).body).toMatchObject({
    items: [{ id: 'sepa_a', debits: 2 }, { id: 'sepa_b' }],
    nextCursor: null,
  });
  expect((await api.get('/v1/mandates?merchantId=m2', platform.key)).body).toEqual({
    items: [],
    nextCursor: null,
  });
});

test('an order that names a mandate of its merchant can be paid only by SEPA direct debit', async () => {
  const platform = await api.newPlatform();
  await debited(platform, 'sepa_c', '2026-03-01T10:00:00Z');
  const { status, body } = await api.post('/v1/orders', platform.key, byMandate('sepa_c'));
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { mandateId: 'sepa_c', methods: ['sepa'] },
  });
  expect(
    await api.post('/v1/orders', platform.key, byMandate('sepa_c', { methods: ['card'] })),
  ).toMatchObject({ status: 422, body: { code: 'invalid_methods' } });
  expect(
    await api.post('/v1/orders', platform.key, byMandate('sepa_c', { currency: 'usd' })),
  ).toMatchObject({ status: 422, body: { code: 'invalid_currency' } });
});

test('an order cannot use a mandate that is unknown or belongs to another platform', async () => {
  const [mine, theirs] = [await api.newPlatform(), await api.newPlatform()];
  await debited(theirs, 'sepa_d', '2026-03-01T10:00:00Z');
  for (const mandateId of ['sepa_d', 'sepa_unknown']) {
    expect(await api.post('/v1/orders', mine.key, byMandate(mandateId))).toMatchObject({
      status: 422,
      body: { code: 'mandate_unknown', errors: [{ pointer: '#/mandateId' }] },
    });
  }
  expect((await api.get('/v1/mandates', mine.key)).body).toMatchObject({ items: [] });
});

test.each(['mndt_1', 'sepa_', 'sepa_1; drop'])(
  'an order with the malformed mandate id %p gets a 422 response',
  async (mandateId) => {
    const { key } = await api.newPlatform();
    expect((await api.post('/v1/orders', key, byMandate(mandateId))).status).toBe(422);
  },
);
