import { instantFromMs, newId, randomText } from '#kernel';
import { merchantAggregate } from '#onboarding';
import { ApiKeyStore, newApiKey, parseApiKey, SCOPES } from '#platform';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';
import { ONBOARD_EXAMPLES } from '../merchants/merchant.dto.js';
import { payOut } from '../payouts/payout.fixture.js';
import { openApiDocument } from '../reference/openapi.js';

let api: ApiFixture;
let keys: ApiKeyStore;

beforeAll(async () => {
  api = await startApiFixture();
  keys = new ApiKeyStore(api.pool);
});

afterAll(() => api.stop());

/** Every route of the API, read from its OpenAPI document. */
const routes = (): readonly { method: string; path: string; scope: string }[] =>
  Object.entries(openApiDocument(api.http.app).paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, { 'x-scope': string }>).map(
      ([method, { 'x-scope': scope }]) => ({ method: method.toUpperCase(), path, scope }),
    ),
  );

const { details } = ONBOARD_EXAMPLES.full.value;

const ENDPOINT = { url: 'https://hooks.example/' };

/**
 * A valid request body for each route, so that a request can be refused only because of its caller.
 */
const BODIES: Readonly<Record<string, unknown>> = {
  '/v1/provider-accounts': {
    merchantId: 'm1',
    mode: 'test',
    apiKey: `stest_${randomText(24)}`,
  },
  '/v1/merchants': ONBOARD_EXAMPLES.least.value,
  '/v1/merchants/{id}': { details: { company: { legalName: 'Other' } } },
  '/v1/merchants/{id}/owners': details.owners[0],
  '/v1/merchants/{id}/representatives': details.representatives[0],
  '/v1/merchants/{id}/owners/{personId}': { ownershipPercent: 50 },
  '/v1/merchants/{id}/representatives/{personId}': { position: 'president' },
  '/v1/merchants/{id}/terminals': { name: 'Counter' },
  '/v1/webhook-endpoints': ENDPOINT,
  '/v1/webhook-endpoints/{id}': ENDPOINT,
  '/v1/webhook-endpoints/{id}/redeliveries': {
    from: '2026-03-01T00:00:00Z',
    to: '2026-03-02T00:00:00Z',
  },
  '/v1/reconciliation/exceptions/{id}/close': { reason: 'It is known' },
};

const bodyFor = (path: string): unknown =>
  path === '/v1/orders' ? orderBody() : (BODIES[path] ?? {});

/** Values of path parameters other than the resource's id. */
const PARTS: Readonly<Record<string, string>> = {
  personId: newId('pers'),
  documentId: newId('dcmt'),
  terminalId: newId('term'),
  version: '1',
};

/** The URL with the resource's `id`, or with an id that does not exist. */
const urlOf = (path: string, id = newId('ord')): string => {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'id' ? id : (PARTS[name] ?? ''),
  );
  const query = path.startsWith('/v1/statements') ? '?merchantId=m1&mode=test&month=2026-03' : '';
  if (path.endsWith('/export')) return `${url}${query === '' ? '?' : `${query}&`}format=json`;
  if (query !== '') return `${url}${query}`;
  return path === '/v1/merchants/{id}/documents' ? `${url}?kind=registration_extract` : url;
};

const call = (method: string, path: string, id?: string, key?: string) =>
  api.call(method, urlOf(path, id), {
    ...(key === undefined ? {} : { key }),
    ...(['POST', 'PATCH', 'PUT'].includes(method)
      ? { body: bodyFor(path), idempotencyKey: randomText(16) }
      : {}),
  });

test('the API has exactly the routes that the spec lists', () => {
  expect(
    routes()
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  ).toEqual([
    'DELETE /v1/merchants/{id}/documents/{documentId}',
    'DELETE /v1/merchants/{id}/owners/{personId}',
    'DELETE /v1/merchants/{id}/personal-data',
    'DELETE /v1/merchants/{id}/representatives/{personId}',
    'DELETE /v1/webhook-endpoints/{id}',
    'GET /v1/disputes',
    'GET /v1/disputes/export',
    'GET /v1/events',
    'GET /v1/events/account/{id}/{version}',
    'GET /v1/events/merchant/{id}/{version}',
    'GET /v1/events/order/{id}/{version}',
    'GET /v1/events/payment/{id}/{version}',
    'GET /v1/events/payout/{id}/{version}',
    'GET /v1/events/stream',
    'GET /v1/events/webhook_endpoint/{id}/{version}',
    'GET /v1/ledger/accounts',
    'GET /v1/ledger/accounts/{id}',
    'GET /v1/ledger/accounts/{id}/export',
    'GET /v1/mandates',
    'GET /v1/mandates/export',
    'GET /v1/merchants',
    'GET /v1/merchants/export',
    'GET /v1/merchants/{id}',
    'GET /v1/merchants/{id}/details',
    'GET /v1/merchants/{id}/documents',
    'GET /v1/merchants/{id}/documents/{documentId}',
    'GET /v1/merchants/{id}/events',
    'GET /v1/merchants/{id}/progress',
    'GET /v1/merchants/{id}/terminals',
    'GET /v1/merchants/{id}/timeline',
    'GET /v1/notices',
    'GET /v1/notices/export',
    'GET /v1/orders',
    'GET /v1/orders/export',
    'GET /v1/orders/{id}',
    'GET /v1/orders/{id}/events',
    'GET /v1/orders/{id}/refunds',
    'GET /v1/orders/{id}/timeline',
    'GET /v1/payments',
    'GET /v1/payments/export',
    'GET /v1/payments/{id}',
    'GET /v1/payouts',
    'GET /v1/payouts/export',
    'GET /v1/payouts/{id}',
    'GET /v1/payouts/{id}/lines',
    'GET /v1/payouts/{id}/lines/export',
    'GET /v1/provider-accounts',
    'GET /v1/provider-accounts/{id}',
    'GET /v1/reconciliation/exceptions',
    'GET /v1/reconciliation/exceptions/export',
    'GET /v1/refunds',
    'GET /v1/refunds/export',
    'GET /v1/statements',
    'GET /v1/statements/lines',
    'GET /v1/statements/lines/export',
    'GET /v1/webhook-deliveries',
    'GET /v1/webhook-deliveries/export',
    'GET /v1/webhook-deliveries/{id}',
    'GET /v1/webhook-endpoints',
    'GET /v1/webhook-endpoints/{id}',
    'GET /v1/webhook-endpoints/{id}/secret',
    'PATCH /v1/merchants/{id}',
    'PATCH /v1/merchants/{id}/owners/{personId}',
    'PATCH /v1/merchants/{id}/representatives/{personId}',
    'PATCH /v1/webhook-endpoints/{id}',
    'POST /v1/merchants',
    'POST /v1/merchants/{id}/documents',
    'POST /v1/merchants/{id}/owners',
    'POST /v1/merchants/{id}/refresh',
    'POST /v1/merchants/{id}/representatives',
    'POST /v1/merchants/{id}/subscription-link',
    'POST /v1/merchants/{id}/terminals',
    'POST /v1/merchants/{id}/terminals/{terminalId}/cancel',
    'POST /v1/orders',
    'POST /v1/orders/{id}/cancel',
    'POST /v1/orders/{id}/capture',
    'POST /v1/orders/{id}/refunds',
    'POST /v1/payments/{id}/refresh',
    'POST /v1/provider-accounts',
    'POST /v1/provider-accounts/{id}/withdraw',
    'POST /v1/reconciliation/exceptions/{id}/close',
    'POST /v1/webhook-deliveries/{id}/discard',
    'POST /v1/webhook-deliveries/{id}/redeliver',
    'POST /v1/webhook-endpoints',
    'POST /v1/webhook-endpoints/{id}/disable',
    'POST /v1/webhook-endpoints/{id}/enable',
    'POST /v1/webhook-endpoints/{id}/redeliveries',
    'POST /v1/webhook-endpoints/{id}/rotate-secret',
    'POST /v1/webhook-endpoints/{id}/test',
    'PUT /v1/merchants/{id}/documents',
  ]);
});

test('no route accepts a request without a valid key', async () => {
  const { text } = newApiKey();
  for (const { method, path } of routes()) {
    for (const key of [undefined, 'nonsense', text]) {
      const answer = await call(method, path, undefined, key);
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  }
});

test('every route requires a key with the route’s scope', async () => {
  for (const { method, path, scope } of routes()) {
    const others = SCOPES.filter((one) => one !== scope);
    const key = await api.newKey(`p-${randomText(8)}`, others);
    const answer = await call(method, path, undefined, key);
    expect(answer).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
  }
});

test('every route responds with 404 to the id of another platform’s resource, as to an unknown id', async () => {
  const owner = await api.newPlatform();
  const other = await api.newPlatform();
  const placed = await api.post('/v1/orders', owner.key, orderBody());
  const orderId = String(placed.body['id']);
  const paymentId = await api.openPayment(orderId);
  await api.pool.query(
    `INSERT INTO order_list VALUES ($1, $2, 'm1', 'r', 1, 'eur', 'open', null, now(), 1)`,
    [orderId, owner.platformId],
  );
  const merchantId = newId('mer');
  await api.store.execute(
    merchantAggregate,
    merchantId,
    {
      type: 'DraftMerchant',
      platformId: owner.platformId,
      reference: 'secret-ref',
      mode: 'test',
      firstTerminal: null,
      detailsRef: newId('det'),
      at: instantFromMs(Date.now()),
    },
    { correlationId: merchantId, causationId: 'spec', actor: 'user:spec', traceparent: null },
  );
  await api.pool.query(
    `INSERT INTO merchant_list VALUES ($1, $2, 'r', 'test', 'draft', false, null, now(), 1)`,
    [merchantId, owner.platformId],
  );
  const paid = await payOut(api, owner);
  const endpoint = await api.post('/v1/webhook-endpoints', owner.key, ENDPOINT);
  const endpointId = String(endpoint.body['id']);
  const deliveryId = newId('whm');
  await api.pool.query(
    `INSERT INTO webhook_deliveries (id, endpoint_id, platform_id, event_id, event_type, stream_type,
                                     stream_id, version)
     SELECT $1, $2, $3, event_id, type, stream_type, stream_id, version FROM events
      WHERE stream_id = $2 AND version = 1`,
    [deliveryId, endpointId, owner.platformId],
  );
  const idFor = (path: string): string => {
    if (/^\/v1\/(merchants|events\/merchant)\b/.test(path)) return merchantId;
    if (/^\/v1\/(payouts|events\/payout)\b/.test(path)) return paid.payoutId;
    if (path.startsWith('/v1/reconciliation')) return paid.exceptionId;
    if (/^\/v1\/(provider-accounts|events\/account)\b/.test(path)) return owner.accountId;
    if (path.startsWith('/v1/ledger')) return paid.ledgerAccountId;
    if (path.startsWith('/v1/webhook-deliveries')) return deliveryId;
    if (/^\/v1\/(webhook-endpoints|events\/webhook_endpoint)\b/.test(path)) return endpointId;
    return /^\/v1\/(payments|events\/payment)\b/.test(path) ? paymentId : orderId;
  };
  /** The number of stored events, except the events of requests by the platform `other`. */
  const events = async (): Promise<number> => {
    const { rows } = await api.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM events
        WHERE metadata->>'correlationId' NOT IN (SELECT metadata->>'correlationId' FROM events
                                                  WHERE metadata->>'actor' = $1)`,
      [`platform:${other.platformId}`],
    );
    return rows[0]?.n ?? 0;
  };
  const before = await events();
  const callsBefore = api.provider.calls;
  for (const { method, path } of routes()) {
    // This response never ends; feed.spec.ts tests which events it contains.
    if (path === '/v1/events/stream') continue;
    const id = idFor(path);
    const answer = await call(method, path, id, other.key);
    const text = JSON.stringify(answer.body);
    if (path.includes('{id}')) {
      const missing = await call(method, path, id.replace(/.{4}$/, 'none'), other.key);
      const { correlationId: _, ...body } = answer.body;
      expect(answer.status).toBe(404);
      expect(missing.body).toMatchObject(body);
    } else if (method === 'GET') {
      expect(answer.status).toBe(200);
      for (const secret of [
        orderId,
        merchantId,
        owner.accountId,
        owner.platformId,
        paid.payoutId,
        endpointId,
        deliveryId,
      ]) {
        expect(text).not.toContain(secret);
      }
    }
  }
  expect(await events()).toBe(before);
  // Only the account registration by the platform `other` calls the provider, at most twice.
  expect(api.provider.calls - callsBefore).toBeLessThanOrEqual(2);
});

test('an order cannot be paid into another platform’s provider account', async () => {
  await api.newPlatform();
  const key = await api.newKey(`p-${randomText(8)}`);
  const answer = await api.post('/v1/orders', key, orderBody());
  expect(answer).toMatchObject({ status: 422, body: { code: 'merchant_unknown' } });
});

describe('an API key', () => {
  test('has more than 128 random bits and is stored only as a hash', async () => {
    const text = await keys.create('kept', ['orders:read']);
    const parts = parseApiKey(text);
    expect(32 * Math.log2(62)).toBeGreaterThan(128);
    const { rows } = await api.pool.query<{ row: string }>(
      'SELECT api_keys::text AS row FROM api_keys WHERE prefix = $1',
      [parts?.prefix],
    );
    expect(rows[0]?.row).not.toContain(parts?.secret);
    expect(rows[0]?.row).not.toContain(Buffer.from(parts?.secret ?? '').toString('hex'));
  });

  test('is refused with a wrong secret and after its expiry', async () => {
    const text = await keys.create('secrets', ['orders:read']);
    expect((await api.get('/v1/orders', text)).status).toBe(200);
    const wrong = `${text.slice(0, -4)}${text.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    expect((await api.get('/v1/orders', wrong)).status).toBe(401);
    const expired = await keys.create('secrets', ['orders:read'], new Date(Date.now() - 1_000));
    expect((await api.get('/v1/orders', expired)).status).toBe(401);
  });

  test('can be rotated while the keys of the platform’s other services keep working', async () => {
    const shop = await keys.create('rotating', ['orders:read']);
    const backOffice = await keys.create('rotating', ['orders:read', 'refunds:write']);
    const newShop = await keys.create('rotating', ['orders:read']);
    for (const key of [shop, backOffice, newShop]) {
      expect((await api.get('/v1/orders', key)).status).toBe(200);
    }
    expect(await keys.revoke(parseApiKey(shop)?.prefix ?? '')).toBe(true);
    expect(await keys.revoke(parseApiKey(shop)?.prefix ?? '')).toBe(false);
    for (const key of [backOffice, newShop]) {
      expect((await api.get('/v1/orders', key)).status).toBe(200);
    }
    expect(await keys.list('rotating')).toHaveLength(3);
  });

  test('is created only if the platform has fewer than 20 active keys', async () => {
    const first = await keys.create('many-services', ['orders:read']);
    for (let count = 1; count < 20; count += 1) await keys.create('many-services', ['orders:read']);
    const refused = { code: 'too_many_keys' };
    await expect(keys.create('many-services', ['orders:read'])).rejects.toMatchObject(refused);
    await expect(keys.mustHaveRoom('many-services')).rejects.toMatchObject(refused);
    await keys.revoke(parseApiKey(first)?.prefix ?? '');
    await keys.create('many-services', ['orders:read']);
  });

  test('is refused within seconds after its revocation', async () => {
    const key = await keys.create('revoked', ['orders:read']);
    expect((await api.get('/v1/orders', key)).status).toBe(200);
    await keys.revoke(parseApiKey(key)?.prefix ?? '');
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    expect((await api.get('/v1/orders', key)).status).toBe(401);
  });
});

test('requests above the rate limit of an API key are refused, and requests with other keys are accepted', async () => {
  const limited = await startApiFixture({ requestsPerSecond: 5 });
  const busy = await limited.newKey('busy');
  const calm = await limited.newKey('calm');
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => limited.get('/v1/orders', busy)),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(3);
  expect(refused[0]?.body['code']).toBe('rate_limited');
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await limited.get('/v1/orders', calm)).status).toBe(200);
  await limited.stop();
});
