import { newId, randomText } from '#kernel';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;
let key: string;

beforeAll(async () => {
  api = await startApiFixture();
  ({ key } = await api.newPlatform());
});

afterAll(() => api.stop());

beforeEach(() => {
  api.provider.failWith = null;
});

const openPayment = async (): Promise<{ orderId: string; paymentId: string }> => {
  const { body } = await api.post('/v1/orders', key, orderBody());
  const orderId = String(body['id']);
  return { orderId, paymentId: await api.openPayment(orderId) };
};

const eventTypes = async (streamId: string): Promise<readonly string[]> => {
  const { rows } = await api.pool.query<{ type: string }>(
    'SELECT type FROM events WHERE stream_id = $1 ORDER BY version',
    [streamId],
  );
  return rows.map(({ type }) => type);
};

describe('a refresh of a payment', () => {
  test('records a new authorization immediately, as confirmed if the platform reports that the payment page was completed', async () => {
    const { paymentId } = await openPayment();
    await api.providerShows(paymentId, 'authorized');
    const path = `/v1/payments/${paymentId}/refresh`;
    const answer = await api.post(path, key, { pageCompleted: true });
    expect(answer).toMatchObject({
      status: 200,
      body: { id: paymentId, status: 'authorized', confirmation: 'confirmed' },
    });
    expect(await api.get(`/v1/payments/${paymentId}`, key)).toMatchObject({ body: answer.body });
    expect(await eventTypes(paymentId)).toEqual([
      'IntentRequested',
      'IntentCreated',
      'PaymentPageCompleted',
      'PaymentAuthorized',
    ]);
  });

  test('leaves an authorization unconfirmed if the platform does not report that the payment page was completed', async () => {
    const { paymentId } = await openPayment();
    await api.providerShows(paymentId, 'authorized');
    const answer = await api.post(`/v1/payments/${paymentId}/refresh`, key);
    expect(answer.body).toMatchObject({ status: 'authorized', confirmation: 'unconfirmed' });
  });

  test('returns no page URL and no confirmation if the payment was canceled before the payer paid', async () => {
    const { paymentId } = await openPayment();
    await api.providerShows(paymentId, 'canceled');
    const { body } = await api.post(`/v1/payments/${paymentId}/refresh`, key, {
      pageCompleted: true,
    });
    expect(body).toMatchObject({ status: 'canceled', confirmation: null, pageUrl: null });
  });

  test('a refresh that shows nothing new records no event', async () => {
    const { paymentId } = await openPayment();
    await api.providerShows(paymentId, 'authorized');
    await api.post(`/v1/payments/${paymentId}/refresh`, key);
    const before = await eventTypes(paymentId);
    await api.post(`/v1/payments/${paymentId}/refresh`, key);
    expect(await eventTypes(paymentId)).toEqual(before);
  });

  test('a refresh repeated under its idempotency key gets the stored response without a second read', async () => {
    const { paymentId } = await openPayment();
    await api.providerShows(paymentId, 'authorized');
    const path = `/v1/payments/${paymentId}/refresh`;
    const idempotencyKey = randomText(8);
    const first = await api.post(path, key, {}, idempotencyKey);
    await api.providerShows(paymentId, 'to_capture');
    const again = await api.post(path, key, {}, idempotencyKey);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  test('several concurrent refreshes record one observation', async () => {
    const { paymentId } = await openPayment();
    await api.providerShows(paymentId, 'authorized');
    const path = `/v1/payments/${paymentId}/refresh`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(path, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const types = await eventTypes(paymentId);
    expect(types.filter((type) => type === 'PaymentAuthorized')).toHaveLength(1);
  });

  test.each([
    [500, 503, 'provider_unavailable'],
    [429, 503, 'provider_unavailable'],
    [404, 502, 'provider_rejected'],
    [401, 502, 'provider_unauthorized'],
  ])(
    'a refresh to which the provider responds with %d gets a %d response, and changes nothing',
    async (fails, status, code) => {
      const { paymentId } = await openPayment();
      const before = await eventTypes(paymentId);
      api.provider.failWith = fails;
      const answer = await api.post(`/v1/payments/${paymentId}/refresh`, key);
      expect(answer).toMatchObject({ status, body: { code } });
      if (status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await eventTypes(paymentId)).toEqual(before);
      api.provider.failWith = null;
      await api.providerShows(paymentId, 'authorized');
      expect((await api.post(`/v1/payments/${paymentId}/refresh`, key)).status).toBe(200);
    },
  );

  test('a refresh of a payment that does not exist gets a 404 response', async () => {
    const answer = await api.post(`/v1/payments/${newId('pay')}/refresh`, key);
    expect(answer).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
  });
});

describe('a provider account', () => {
  test('is registered with its webhook endpoint, and its key is never shown', async () => {
    const platform = await api.newPlatform();
    const apiKey = `stest_${randomText(24)}`;
    const body = { merchantId: 'm2', mode: 'test', apiKey };
    const made = await api.post('/v1/provider-accounts', platform.key, body);
    expect(made).toMatchObject({ status: 201, body: { merchantId: 'm2', mode: 'test' } });
    const id = String(made.body['id']);
    expect(made.body['webhookUrl']).toBe(`https://api.test/provider/webhooks/${id}`);
    const listed = await api.get('/v1/provider-accounts', platform.key);
    expect(listed.body['items']).toContainEqual(made.body);
    const dump = await api.pool.query(
      `SELECT provider_accounts::text, encode(api_key_sealed,
      'escape') AS sealed FROM provider_accounts WHERE id = $1`,
      [id],
    );
    const answered = await api.pool.query('SELECT body::text FROM idempotency_keys');
    const texts = JSON.stringify([made.body, listed.body, dump.rows, answered.rows]);
    expect(texts).not.toContain(apiKey);
    expect(texts).not.toContain(api.provider.secret);
  });

  test('is registered only once, even if its registration is requested twice under different idempotency keys', async () => {
    const platform = await api.newPlatform();
    const body = { merchantId: 'm3', mode: 'test', apiKey: `stest_${randomText(24)}` };
    const first = await api.post('/v1/provider-accounts', platform.key, body);
    const second = await api.post('/v1/provider-accounts', platform.key, body);
    expect(second.body['id']).toBe(first.body['id']);
  });

  test.each([
    ['a live key for the test mode', { mode: 'test', apiKey: `sprod_${randomText(24)}` }],
    ['a text that is no provider key', { mode: 'test', apiKey: 'secret-thing' }],
  ])(
    'cannot be registered with %s, and the response does not contain the key',
    async (_, changes) => {
      const answer = await api.post('/v1/provider-accounts', key, { merchantId: 'm4', ...changes });
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).toContain('#/apiKey');
      expect(JSON.stringify(answer.body)).not.toContain(changes.apiKey);
    },
  );

  test('cannot be registered with a key that the provider refuses', async () => {
    api.provider.failWith = 401;
    const body = { merchantId: 'm5', mode: 'test', apiKey: `stest_${randomText(24)}` };
    const answer = await api.post('/v1/provider-accounts', key, body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'provider_key_rejected' } });
    api.provider.failWith = null;
    const order = await api.post('/v1/orders', key, orderBody({ merchantId: 'm5' }));
    expect(order).toMatchObject({ status: 422, body: { code: 'merchant_unknown' } });
  });

  test('is selected by the order’s mode, which is required if the merchant has two accounts', async () => {
    const platform = await api.newPlatform();
    await api.post('/v1/provider-accounts', platform.key, {
      merchantId: 'm1',
      mode: 'live',
      apiKey: `sprod_${randomText(24)}`,
    });
    const unclear = await api.post('/v1/orders', platform.key, orderBody());
    expect(unclear).toMatchObject({ status: 422, body: { code: 'mode_required' } });
    const clear = await api.post('/v1/orders', platform.key, orderBody({ mode: 'test' }));
    expect(clear.status).toBe(201);
  });
});
