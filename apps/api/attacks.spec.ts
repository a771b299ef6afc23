import { connect } from 'node:net';
import { newId, randomText } from '#kernel';
import { type ApiFixture, orderBody, startApiFixture } from './api.fixture.js';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApiFixture();
  ({ key } = await api.newPlatform());
});
afterAll(() => api.stop());

const place = async (): Promise<string> =>
  String((await api.post('/v1/orders', key, orderBody())).body['id']);

test.each([[[]], [[{ policy: 'manual' }]]])(
  'a capture policy given as a list %j is refused',
  async (capture) => {
    const { status, body } = await api.post('/v1/orders', key, orderBody({ capture }));
    expect([status, body['code']]).toEqual([422, 'validation_failed']);
  },
);

test.each(['+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '2026-01-01'])(
  'a list cursor with the date %s is refused',
  async (date) => {
    const last = JSON.stringify(['created', 'desc', date, newId('ord')]);
    const cursor = Buffer.from(last).toString('base64url');
    expect([200, 422]).toContain((await api.get(`/v1/orders?cursor=${cursor}`, key)).status);
  },
);

test('a return URL with an email address, even percent-encoded, is refused', async () => {
  const returnUrl = 'https://shop.example/back?payer=a.payer%40example.com';
  const { status } = await api.post('/v1/orders', key, orderBody({ returnUrl }));
  expect(status).toBe(422);
});

describe('an account registration', () => {
  const sealedKey = async (id: unknown): Promise<string> => {
    const { rows } = await api.pool.query<{ k: string }>(
      `SELECT encode(api_key_sealed, 'hex') AS k FROM provider_accounts WHERE id = $1`,
      [id],
    );
    return rows[0]?.k ?? '';
  };
  const register = (apiKey: string, idempotencyKey: string) =>
    api.post(
      '/v1/provider-accounts',
      key,
      { merchantId: 'm9', mode: 'test', apiKey },
      idempotencyKey,
    );

  test('a registration that is repeated after the registration of a newer key does not restore the old key', async () => {
    const first = `stest_${randomText(24)}`;
    const again = randomText(16);
    const { body } = await register(first, again);
    await register(`stest_${randomText(24)}`, randomText(16));
    const before = await sealedKey(body['id']);
    const repeated = await register(first, again);
    expect(repeated.status).toBe(201);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(await sealedKey(body['id'])).toBe(before);
  });

  test('is refused if the key belongs to another provider account, of the same or of another platform', async () => {
    const apiKey = `stest_${randomText(24)}`;
    await register(apiKey, randomText(16));
    const taken = { status: 409, body: { code: 'provider_key_taken' } };
    const body = { merchantId: 'm10', mode: 'test', apiKey };
    expect(await api.post('/v1/provider-accounts', key, body)).toMatchObject(taken);
    const another = await api.newPlatform();
    expect(await api.post('/v1/provider-accounts', another.key, body)).toMatchObject(taken);
    expect((await register(apiKey, randomText(16))).status).toBe(201);
  });

  test('a registration under a used idempotency key with a different API key changes nothing', async () => {
    const used = randomText(16);
    const { body } = await register(`stest_${randomText(24)}`, used);
    const before = await sealedKey(body['id']);
    const other = await register(`stest_${randomText(24)}`, used);
    expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
    expect(await sealedKey(body['id'])).toBe(before);
  });
});

test('a repeated order request gets the stored response even if a live account was registered after the first request', async () => {
  const platform = await api.newPlatform();
  const body = orderBody();
  const again = randomText(16);
  const first = await api.post('/v1/orders', platform.key, body, again);
  const live = { merchantId: 'm1', mode: 'live', apiKey: `sprod_${randomText(24)}` };
  await api.post('/v1/provider-accounts', platform.key, live);
  const repeated = await api.post('/v1/orders', platform.key, body, again);
  expect([repeated.status, repeated.body]).toEqual([201, first.body]);
});

test('a repeated request to refresh a payment gets the stored response even while the provider is unavailable', async () => {
  const id = await api.openPayment(await place());
  await api.providerShows(id, 'authorized');
  const again = randomText(16);
  const first = await api.post(`/v1/payments/${id}/refresh`, key, {}, again);
  api.provider.failWith = 500;
  const repeated = await api.post(`/v1/payments/${id}/refresh`, key, {}, again);
  api.provider.failWith = null;
  expect([first.status, repeated.status, repeated.body]).toEqual([200, 200, first.body]);
});

describe('the header cache-control: no-store', () => {
  test.each([
    ['a read', () => api.get('/v1/orders', key), 200],
    ['a change', () => api.post('/v1/orders', key, orderBody()), 201],
    ['a rejected change', () => api.post('/v1/orders', key, {}), 422],
    ['a read of a missing order', () => api.get(`/v1/orders/${newId('ord')}`, key), 404],
    ['an unknown path', () => api.get('/v1/nothing', key), 404],
    ['a request without a valid key', () => api.get('/v1/orders', 'po_unknown'), 401],
    ['a percent-encoded path', () => api.get('/%761/orders', key), 200],
  ])('is in the response to %s', async (_, ask, status) => {
    const answer = await ask();
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store']);
  });
});

test('a route requires an API key even if its URL path is percent-encoded', async () => {
  expect((await api.call('GET', '/%761/orders')).status).toBe(401);
});

test('metrics are served on a separate port without routes for platforms', async () => {
  const { url, internalUrl } = api.http;
  const statusOf = async (at: string): Promise<number> => {
    const answer = await fetch(at);
    await answer.arrayBuffer();
    return answer.status;
  };
  expect(internalUrl).not.toBe(url);
  expect([await statusOf(`${url}/metrics`), await statusOf(`${internalUrl}/metrics`)]).toEqual([
    404, 200,
  ]);
  expect([
    await statusOf(`${url}/health/ready`),
    await statusOf(`${internalUrl}/health/ready`),
  ]).toEqual([200, 200]);
  expect(await statusOf(`${internalUrl}/v1/orders`)).toBe(404);
});

test('an event stream is no longer counted as open when its subscriber disconnects immediately after the request', async () => {
  const id = await place();
  const { hostname, port } = new URL(api.http.url);
  for (let round = 0; round < 60; round += 1) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `GET /v1/orders/${id}/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`,
        );
        setTimeout(() => socket.resetAndDestroy(), round % 6);
        socket.on('close', () => resolve());
        socket.on('error', () => {});
      });
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  const metrics = await (await fetch(`${api.http.internalUrl}/metrics`)).text();
  expect(/^event_streams_open (\d+)$/m.exec(metrics)?.[1]).toBe('0');
});

test('one platform cannot use up all the event streams that a process may keep open', async () => {
  const [id, other] = [await place(), await api.newPlatform()];
  const otherId = String((await api.post('/v1/orders', other.key, orderBody())).body['id']);
  const hangUp = new AbortController();
  // Keeps references to the responses, because garbage collection closes an unreferenced response.
  const held: Response[] = [];
  const follow = async (orderId: string, as: string): Promise<number> => {
    const headers = { authorization: `Bearer ${as}` };
    const url = `${api.http.url}/v1/orders/${orderId}/events`;
    const answer = await fetch(url, { headers, signal: hangUp.signal });
    held.push(answer);
    return answer.status;
  };
  for (let round = 0; round < 10; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 50 }, () => follow(id, key)));
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  expect(await follow(id, key)).toBe(503);
  expect(await follow(otherId, other.key)).toBe(200);
  expect(held).toHaveLength(502);
  hangUp.abort();
});

test.each(['cancel', 'capture'])('a %s request with an unknown field is refused', async (verb) => {
  const { status } = await api.post(`/v1/orders/${await place()}/${verb}`, key, { foo: 1 });
  expect(status).toBe(422);
});
