import { newId } from '#kernel';
import { type DailyLimit, setDailyLimit } from '#operations';
import { createLogger, parseApiKey, type Scope, SCOPES } from '#platform';
import { startApi } from '../api-app.js';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;

beforeAll(async () => {
  api = await startApiFixture();
});
afterAll(() => api.stop());

type Platform = Awaited<ReturnType<ApiFixture['newPlatform']>>;

const keyOf = ({ key }: Platform): string => parseApiKey(key)?.prefix ?? '';

const limit = async (of: DailyLimit): Promise<void> => {
  const client = await api.pool.connect();
  await setDailyLimit(client, of);
  client.release();
};

/** Creates an order whose payment has this status at the provider. */
const orderAt = async ({ key }: Platform, status: string): Promise<string> => {
  const { body } = await api.post('/v1/orders', key, orderBody());
  const orderId = String(body['id']);
  const paymentId = await api.openPayment(orderId);
  api.provider.refunds = [];
  api.provider.disputes = [];
  await api.providerShows(paymentId, status);
  await api.post(`/v1/payments/${paymentId}/refresh`, key);
  return orderId;
};

const refund = (
  { key }: Platform,
  orderId: string,
  body: object = {},
  idempotencyKey = newId('key'),
) => api.post(`/v1/orders/${orderId}/refunds`, key, body, idempotencyKey);

const debit = async (platform: Platform, mandateId: string, changes: object = {}) =>
  api.post(
    '/v1/orders',
    platform.key,
    orderBody({
      capture: { policy: 'automatic' },
      mandateId,
      ...changes,
    }),
  );

const signed = async ({ platformId, accountId }: Platform, mandateId: string): Promise<void> => {
  await api.pool.query(
    `INSERT INTO mandate_use (payment_id, order_id, platform_id, account_id, mandate_id,
                              debited_at, version) VALUES ($1, $2, $3, $4, $5, now(), 3)`,
    [newId('pay'), newId('ord'), platformId, accountId, mandateId],
  );
};

const used = async (holderId: string): Promise<unknown> =>
  (
    await api.pool.query(
      `SELECT operation, unit, used::int AS used FROM daily_use WHERE holder_id = $1
    ORDER BY operation, unit`,
      [holderId],
    )
  ).rows;

test('a refund above the daily limit is refused, and the response names the limit', async () => {
  const platform = await api.newPlatform();
  const orders = [
    await orderAt(platform, 'captured'),
    await orderAt(platform, 'captured'),
  ] as const;
  await limit({
    holder: 'platform',
    holderId: platform.platformId,
    operation: 'refund',
    unit: 'amount',
    daily: 1_000,
  });
  expect(await refund(platform, orders[0])).toMatchObject({
    status: 422,
    body: {
      code: 'limit_exceeded',
      detail: expect.stringContaining('platform.refund.amount is 1000') as string,
      errors: [{ code: 'platform.refund.amount' }],
    },
  });
  expect((await refund(platform, orders[0], { amountMinor: 800 })).status).toBe(202);
  const refused = await refund(platform, orders[1], { amountMinor: 300 });
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'limit_reached', errors: [{ code: 'platform.refund.amount' }] },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await refund(platform, orders[1], { amountMinor: 200 })).status).toBe(202);
  expect(await used(platform.platformId)).toEqual([
    { operation: 'refund', unit: 'count', used: 2 },
    { operation: 'refund', unit: 'eur', used: 1_000 },
  ]);
  const { rows } = await api.pool.query(
    `SELECT FROM events WHERE type = 'RefundRequested' AND metadata->>'actor' = $1`,
    [`platform:${platform.platformId}`],
  );
  expect(rows).toHaveLength(2);
});

test('concurrent requests together stay within the daily limit, and a repeated request counts only once', async () => {
  const platform = await api.newPlatform();
  const orders: string[] = [];
  for (let n = 0; n < 5; n += 1) orders.push(await orderAt(platform, 'captured'));
  await limit({
    holder: 'key',
    holderId: keyOf(platform),
    operation: 'refund',
    unit: 'count',
    daily: 3,
  });
  const answers = await Promise.all(orders.map((id, n) => refund(platform, id, {}, `key-${n}`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 429, 429]);
  const made = answers.findIndex(({ status }) => status === 202);
  const again = await refund(platform, orders[made] ?? '', {}, `key-${made}`);
  expect(again.body).toEqual(answers[made]?.body);
  expect(await used(keyOf(platform))).toMatchObject([{ unit: 'count', used: 3 }, { used: 3_750 }]);
});

test('a request refused for a reason other than the limit does not count towards the limit', async () => {
  const platform = await api.newPlatform();
  const orderId = await orderAt(platform, 'captured');
  expect((await refund(platform, orderId, { amountMinor: 500 })).status).toBe(202);
  expect((await refund(platform, orderId, { amountMinor: 500 })).body['code']).toBe(
    'refund_in_progress',
  );
  expect(await used(keyOf(platform))).toMatchObject([{ unit: 'count', used: 1 }, { used: 500 }]);
});

test('a debit refused because its reference was already used no longer counts towards the limit', async () => {
  const platform = await api.newPlatform();
  await signed(platform, 'sepa_released');
  const reference = newId('ref');
  expect((await debit(platform, 'sepa_released', { reference })).status).toBe(201);
  expect((await debit(platform, 'sepa_released', { reference })).status).toBe(409);
  expect(await used('sepa_released')).toMatchObject([{ unit: 'count', used: 1 }, { used: 1_250 }]);
});

test('a refused debit gets the reason of the refusal even if the database fails to release the debit’s amount from the daily limit', async () => {
  const platform = await api.newPlatform();
  await signed(platform, 'sepa_kept');
  const reference = newId('ref');
  expect((await debit(platform, 'sepa_kept', { reference })).status).toBe(201);
  await api.pool.query(`
    CREATE FUNCTION keep_use() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE deadlock_detected; END $$;
    CREATE TRIGGER keep_use BEFORE UPDATE ON daily_use FOR EACH ROW
      WHEN (new.used < old.used) EXECUTE FUNCTION keep_use()`);
  const refused = await debit(platform, 'sepa_kept', { reference });
  await api.pool.query('DROP FUNCTION keep_use CASCADE');
  expect(refused.status).toBe(409);
  expect(await used('sepa_kept')).toMatchObject([{ unit: 'count', used: 2 }, { used: 2_500 }]);
});

test('captures count towards the daily limit', async () => {
  const platform = await api.newPlatform();
  const orders = [
    await orderAt(platform, 'authorized'),
    await orderAt(platform, 'authorized'),
  ] as const;
  await limit({
    holder: 'key',
    holderId: keyOf(platform),
    operation: 'capture',
    unit: 'count',
    daily: 1,
  });
  expect((await api.post(`/v1/orders/${orders[0]}/capture`, platform.key)).status).toBe(202);
  expect(await api.post(`/v1/orders/${orders[1]}/capture`, platform.key)).toMatchObject({
    status: 429,
    body: { errors: [{ code: 'key.capture.count' }] },
  });
});

test('a repeated capture request counts only once towards the limit', async () => {
  const platform = await api.newPlatform();
  const orderId = await orderAt(platform, 'authorized');
  for (const key of ['first', 'second']) {
    const { status } = await api.post(`/v1/orders/${orderId}/capture`, platform.key, {}, key);
    expect(status).toBe(202);
  }
  expect(await used(keyOf(platform))).toMatchObject([
    { operation: 'capture', unit: 'count', used: 1 },
    { operation: 'capture', unit: 'eur', used: 1_250 },
  ]);
});

test('a capture that another process has already requested does not count towards the limit', async () => {
  const platform = await api.newPlatform();
  // From now on this process caches the payment as authorized.
  const orderId = await orderAt(platform, 'authorized');
  const logger = createLogger('api', { level: 'silent' });
  const other = await startApi(api.config, { logger, ownsProcess: false });
  const path = `/v1/orders/${orderId}/capture`;
  const headers = { authorization: `Bearer ${platform.key}`, 'idempotency-key': newId('key') };
  const first = await fetch(`${other.url}${path}`, { method: 'POST', headers });
  await other.close();
  expect(first.status).toBe(202);
  expect((await api.post(path, platform.key)).status).toBe(202);
  expect(await used(keyOf(platform))).toEqual([
    { operation: 'capture', unit: 'count', used: 1 },
    { operation: 'capture', unit: 'eur', used: 1_250 },
  ]);
});

test('debits of a mandate count towards the mandate’s limit, regardless of the API key that requests them', async () => {
  const platform = await api.newPlatform();
  await signed(platform, 'sepa_limited');
  await limit({
    holder: 'mandate',
    holderId: 'sepa_limited',
    operation: 'debit',
    unit: 'count',
    daily: 1,
  });
  expect((await debit(platform, 'sepa_limited')).status).toBe(201);
  expect(await debit(platform, 'sepa_limited')).toMatchObject({
    status: 429,
    body: { errors: [{ code: 'mandate.debit.count' }] },
  });
  expect((await api.post('/v1/orders', platform.key, orderBody())).status).toBe(201);
});

test.each([
  ['refunds:write', (id: string) => `/v1/orders/${id}/refunds`],
  ['captures:write', (id: string) => `/v1/orders/${id}/capture`],
] as const)(
  'a request that requires the scope %s is refused if the API key has only order scopes',
  async (scope, path) => {
    const platform = await api.newPlatform();
    const orderId = await orderAt(platform, 'captured');
    const without = await api.newKey(
      platform.platformId,
      SCOPES.filter((one) => one !== scope),
    );
    expect(await api.post(path(orderId), without, {})).toMatchObject({
      status: 403,
      body: { code: 'scope_missing', detail: `this key lacks the scope ${scope}` },
    });
  },
);

test('an API key with order scopes only cannot debit a mandate', async () => {
  const platform = await api.newPlatform();
  await signed(platform, 'sepa_scoped');
  const scopes: readonly Scope[] = ['orders:read', 'orders:write'];
  const key = await api.newKey(platform.platformId, scopes);
  expect(await debit({ ...platform, key }, 'sepa_scoped')).toMatchObject({
    status: 403,
    body: { detail: 'this key lacks the scope debits:write' },
  });
  expect((await api.post('/v1/orders', key, orderBody())).status).toBe(201);
});
