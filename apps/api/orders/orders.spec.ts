import { randomText } from '#kernel';
import { createLogger } from '#platform';
import { startApi } from '../api-app.js';
import { type ApiFixture, orderBody, startApiFixture } from '../api.fixture.js';

let api: ApiFixture;
let key: string;
let platformId: string;

beforeAll(async () => {
  api = await startApiFixture();
  ({ key, platformId } = await api.newPlatform());
});

afterAll(() => api.stop());

const place = async (changes: Record<string, unknown> = {}): Promise<string> => {
  const { status, body } = await api.post('/v1/orders', key, orderBody(changes));
  expect(status).toBe(201);
  return String(body['id']);
};

const eventCount = async (): Promise<number> => {
  const { rows } = await api.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM events');
  return rows[0]?.n ?? 0;
};

describe('an order', () => {
  test('is placed as requested, and a later read returns the placed order', async () => {
    const body = orderBody({
      capture: { policy: 'delayed', delay: 'P2DT6H' },
      methods: ['card', 'sepa'],
      returnUrl: 'https://shop.example/back?order=1',
      description: 'Two chairs',
      metadata: { cart: 'c-1' },
      expiresIn: 'PT2H',
    });
    const placed = await api.post('/v1/orders', key, body);
    expect(placed.status).toBe(201);
    const { expiresIn: _, ...asked } = body;
    expect(placed.body).toMatchObject({
      ...asked,
      status: 'open',
      payment: { status: 'requested', pageUrl: null },
    });
    const lifeMs =
      Date.parse(String(placed.body['expiresAt'])) - Date.parse(String(placed.body['createdAt']));
    expect(lifeMs).toBe(2 * 3_600_000);
    const read = await api.get(`/v1/orders/${String(placed.body['id'])}`, key);
    expect(read).toMatchObject({ status: 200, body: placed.body });
  });

  test('shows the URL of its payment page as soon as the provider has created the page', async () => {
    const id = await place();
    const paymentId = await api.openPayment(id);
    const { body } = await api.get(`/v1/orders/${id}`, key);
    expect(body['payment']).toMatchObject({
      id: paymentId,
      orderId: id,
      status: 'open',
      pageUrl: 'https://pay.test/p',
      confirmation: null,
      refusedAttempts: 0,
    });
  });

  test('is canceled only after its payment has ended', async () => {
    const id = await place();
    const answer = await api.post(`/v1/orders/${id}/cancel`, key);
    expect(answer).toMatchObject({ status: 202, body: { id, status: 'closing' } });
    expect(await api.post(`/v1/orders/${id}/cancel`, key)).toMatchObject({ status: 202 });
  });

  test('can be captured only after its payment is authorized', async () => {
    const id = await place();
    const early = await api.post(`/v1/orders/${id}/capture`, key);
    expect(early).toMatchObject({ status: 409, body: { code: 'not_authorized' } });
    const paymentId = await api.openPayment(id);
    const open = await api.post(`/v1/orders/${id}/capture`, key);
    expect(open).toMatchObject({ status: 409, body: { code: 'not_authorized' } });
    await api.providerShows(paymentId, 'authorized');
    await api.post(`/v1/payments/${paymentId}/refresh`, key);
    const captured = await api.post(`/v1/orders/${id}/capture`, key);
    const captures = [
      {
        id: expect.stringMatching(/^cap_[A-Za-z0-9]{24}$/),
        amountMinor: 1250,
        status: 'requested',
      },
    ];
    expect(captured).toMatchObject({
      status: 202,
      body: { payment: { captureRequested: true, captures } },
    });
    const { rows } = await api.pool.query('SELECT kind FROM jobs WHERE subject_id = $1', [
      paymentId,
    ]);
    expect(rows).toContainEqual({ kind: 'capture' });
  });

  test('cannot be captured in part when the provider supports only whole amounts', async () => {
    const id = await place();
    const paymentId = await api.openPayment(id);
    await api.providerShows(paymentId, 'authorized');
    await api.post(`/v1/payments/${paymentId}/refresh`, key);
    const before = await eventCount();
    const capture = (amountMinor: unknown) =>
      api.post(`/v1/orders/${id}/capture`, key, { amountMinor });
    expect(await capture(500)).toMatchObject({
      status: 422,
      body: {
        code: 'capability_missing',
        detail: expect.stringContaining('without an amount'),
        errors: [{ code: 'partialCapture', pointer: '#/amountMinor' }],
      },
    });
    expect(await capture(1251)).toMatchObject({
      status: 422,
      body: { code: 'capture_exceeds_authorized' },
    });
    for (const amount of [0, -1, 1.5, '500', null]) {
      expect(await capture(amount)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '#/amountMinor' }] },
      });
    }
    expect(await eventCount()).toBe(before);
    expect(await capture(1250)).toMatchObject({
      status: 202,
      body: { payment: { captures: [{ amountMinor: 1250, status: 'requested' }] } },
    });
  });

  test.each(['capture', 'cancel'])(
    'is refused, without any effect, when its %s contains an unknown field',
    async (verb) => {
      const id = await place();
      const paymentId = await api.openPayment(id);
      await api.providerShows(paymentId, 'authorized');
      await api.post(`/v1/payments/${paymentId}/refresh`, key);
      const before = await eventCount();
      const answer = await api.post(`/v1/orders/${id}/${verb}`, key, { colour: 'red' });
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: [{ code: 'unknown_field', pointer: '#/colour' }] },
      });
      expect((await api.post(`/v1/orders/${id}/${verb}`, key, [5])).status).toBe(422);
      expect(await eventCount()).toBe(before);
    },
  );

  test.each([
    ['an unknown field', { colour: 'red' }, '#/colour', 'unknown_field'],
    ['an unknown currency', { currency: 'xyz' }, '#/currency', 'isIn'],
    ['an upper-case currency', { currency: 'EUR' }, '#/currency', 'isIn'],
    ['a fraction of a minor unit', { amountMinor: 12.5 }, '#/amountMinor', 'isInt'],
    ['an amount as text', { amountMinor: '1250' }, '#/amountMinor', 'isInt'],
    // A description has 3 to 64 code points, as the provider counts them.
    [
      'a description of 65 characters, two of which are one emoji',
      { description: `${'a'.repeat(63)}\u2764\ufe0f` },
      '#/description',
      'isLength',
    ],
    [
      'a description of two characters',
      { description: '\u{1f600}'.repeat(2) },
      '#/description',
      'isLength',
    ],
    ['no amount at all', { amountMinor: 0 }, '#/amountMinor', 'min'],
    ['too large an amount', { amountMinor: 4_294_967_296 }, '#/amountMinor', 'max'],
    ['an unknown policy', { capture: { policy: 'never' } }, '#/capture/policy', 'isIn'],
    ['no policy', { capture: undefined }, '#/capture', 'isDefined'],
    [
      'a delay that is no duration',
      { capture: { policy: 'delayed', delay: '2 days' } },
      '#/capture/delay',
      'isDelay',
    ],
    ['delayed without a delay', { capture: { policy: 'delayed' } }, '#/capture/delay', 'isDelay'],
    [
      'a delay without delayed',
      { capture: { policy: 'manual', delay: 'P1D' } },
      '#/capture/delay',
      'isDelay',
    ],
    ['a method twice', { methods: ['card', 'card'] }, '#/methods', 'arrayUnique'],
    [
      'a return URL with another protocol',
      { returnUrl: 'javascript:alert(1)' },
      '#/returnUrl',
      'isUrl',
    ],
    ['metadata that is not text', { metadata: { a: 1 } }, '#/metadata', 'isTextMap'],
    [
      'an email in metadata',
      { metadata: { who: 'jo@shop.example' } },
      '#/metadata',
      'holdsNoEmail',
    ],
    ['an unknown merchant', { merchantId: 'm2' }, '#/merchantId', undefined],
  ])(
    'an order with a faulty field is refused with a pointer to the field: %s',
    async (_, changes, pointer, code) => {
      const before = await eventCount();
      const { status, body } = await api.post('/v1/orders', key, orderBody(changes));
      expect(status).toBe(422);
      const error = expect.objectContaining({ pointer, ...(code === undefined ? {} : { code }) });
      expect(body['errors']).toContainEqual(error);
      expect(await eventCount()).toBe(before);
    },
  );

  test.each([
    ['sepa in another currency', { methods: ['sepa'], currency: 'usd' }, 'invalid_currency'],
    [
      'a capture after the authorization’s end',
      {
        capture: { policy: 'delayed', delay: 'P8D' },
      },
      'invalid_capture_delay',
    ],
    ['a payment period of a year', { expiresIn: 'P365D' }, 'invalid_expiry'],
  ])('is refused by a business rule: %s', async (_, changes, code) => {
    const { status, body } = await api.post('/v1/orders', key, orderBody(changes));
    expect({ status, code: body['code'] }).toEqual({ status: 422, code });
  });

  test('an order with a card number in its metadata is refused', async () => {
    const before = await eventCount();
    const number = '4242424242424242';
    const { status, body } = await api.post(
      '/v1/orders',
      key,
      orderBody({
        metadata: { note: number },
      }),
    );
    expect({ status, code: body['code'] }).toEqual({
      status: 422,
      code: 'card_number_not_allowed',
    });
    expect(JSON.stringify(body)).not.toContain(number);
    expect(await eventCount()).toBe(before);
  });
});

describe('an order’s reference', () => {
  test('is unique within a platform, and the error names the order that already has it', async () => {
    const body = orderBody();
    const first = await api.post('/v1/orders', key, body);
    const second = await api.post('/v1/orders', key, body);
    expect(second).toMatchObject({ status: 409, body: { code: 'reference_taken' } });
    expect(second.body['detail']).toContain(String(first.body['id']));
  });

  test('may be used by several platforms', async () => {
    const other = await api.newPlatform();
    const body = orderBody();
    expect((await api.post('/v1/orders', key, body)).status).toBe(201);
    expect((await api.post('/v1/orders', other.key, body)).status).toBe(201);
  });

  test('is accepted for only one of many orders placed concurrently', async () => {
    const body = orderBody();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.post('/v1/orders', key, body)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });
});

describe('an idempotency key', () => {
  test('is required to place an order', async () => {
    const answer = await api.call('POST', '/v1/orders', { key, body: orderBody() });
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_missing' } });
  });

  test('a request repeated under its key gets the stored response, marked as a replay', async () => {
    const body = orderBody();
    const first = await api.post('/v1/orders', key, body, 'repeat-1');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(first.headers.get('location')).toBe(`/v1/orders/${String(first.body['id'])}`);
    const before = await eventCount();
    const second = await api.post('/v1/orders', key, body, 'repeat-1');
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await eventCount()).toBe(before);
  });

  test('a request repeated under its key gets the stored response even if the fields of the body are in a different order', async () => {
    const body = orderBody();
    const reversed = Object.fromEntries(Object.entries(body).toReversed());
    await api.post('/v1/orders', key, body, 'fields-1');
    expect((await api.post('/v1/orders', key, reversed, 'fields-1')).status).toBe(201);
  });

  test('is refused if it was used with another body or on another route', async () => {
    const { body } = await api.post('/v1/orders', key, orderBody(), 'reused-1');
    const otherBody = await api.post('/v1/orders', key, orderBody(), 'reused-1');
    expect(otherBody).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    const otherRoute = await api.post(
      `/v1/orders/${String(body['id'])}/cancel`,
      key,
      {},
      'reused-1',
    );
    expect(otherRoute).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  test('concurrent requests under one key create only one order', async () => {
    const body = orderBody();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/v1/orders', key, body, 'at-once-1')),
    );
    const made = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(made.length + waiting.length).toBe(8);
    expect(new Set(made.map((answer) => answer.body['id'])).size).toBe(1);
    expect(waiting.every((answer) => answer.body['code'] === 'request_in_progress')).toBe(true);
    expect(waiting.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true);
  });

  test('a cancellation repeated under its key gets the stored response even if the order has expired since', async () => {
    const id = await place();
    const first = await api.post(`/v1/orders/${id}/cancel`, key, {}, 'cancel-1');
    await api.pool.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                           metadata)
       SELECT 'order', $1, max(version) + 1, gen_random_uuid(), 'OrderExpired', 1,
              '{"at":"2026-01-01T00:00:00.000Z"}', '{}' FROM events WHERE stream_id = $1`,
      [id],
    );
    const again = await api.post(`/v1/orders/${id}/cancel`, key, {}, 'cancel-1');
    expect(again).toMatchObject({ status: 202, body: first.body });
    const other = await api.post(`/v1/orders/${id}/cancel`, key, {}, 'cancel-2');
    expect(other).toMatchObject({ status: 409, body: { code: 'order_ended' } });
  });

  test('the key of one platform is independent of the same key of another platform', async () => {
    const other = await api.newPlatform();
    const mine = await api.post('/v1/orders', key, orderBody(), 'shared-1');
    const theirs = await api.post('/v1/orders', other.key, orderBody(), 'shared-1');
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });
});

describe('the list of orders', () => {
  const listed = async (query: string): Promise<Record<string, unknown>> => {
    const { status, body } = await api.get(`/v1/orders?${query}`, key);
    expect(status).toBe(200);
    return body;
  };

  beforeAll(() =>
    api.pool.query(
      `INSERT INTO order_list (order_id, platform_id, merchant_id, reference, amount_minor,
                               currency, status, payment_id, placed_at, version)
       SELECT 'ord_list' || n, CASE WHEN n % 2 = 0 THEN $1 ELSE 'another' END, 'm1', 'r' || n, n,
              'eur', CASE WHEN n % 4 = 0 THEN 'paid' ELSE 'open' END, null,
              timestamptz '2026-01-01T00:00:00.123Z' + (n / 4) * interval '1 second', 1
         FROM generate_series(1, 40) n`,
      [platformId],
    ),
  );

  test('contains only the platform’s orders, newest first, each order on one page', async () => {
    const ids: unknown[] = [];
    let cursor = '';
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await listed(`limit=7${cursor}`);
      ids.push(...(page['items'] as { id: string }[]).map(({ id }) => id));
      if (page['nextCursor'] === null) break;
      cursor = `&cursor=${String(page['nextCursor'])}`;
    }
    const expected = Array.from({ length: 20 }, (_, n) => `ord_list${2 * (n + 1)}`);
    expect(ids.toSorted()).toEqual(expected.toSorted());
    expect(ids[0]).toBe('ord_list40');
  });

  test('can be filtered by status and reference', async () => {
    expect((await listed('status=paid&limit=100'))['items']).toHaveLength(10);
    expect((await listed('reference=r8'))['items']).toEqual([
      expect.objectContaining({ id: 'ord_list8', amountMinor: 8, status: 'paid' }),
    ]);
    expect((await listed('reference=r7'))['items']).toEqual([]);
  });

  test.each(['limit=0', 'limit=101', 'status=odd', 'cursor=nonsense', 'colour=red'])(
    'refuses %s, and names the parameter',
    async (query) => {
      const { status, body } = await api.get(`/v1/orders?${query}`, key);
      expect(status).toBe(422);
      const parameter = query.split('=')[0];
      expect(body['errors']).toContainEqual(expect.objectContaining({ parameter }));
    },
  );
});

test('every GET request of the API works over a read-only database connection', async () => {
  const id = await place();
  const paymentId = await api.openPayment(id);
  const url = new URL(api.config.databaseUrl);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const readOnly = await startApi(
    { ...api.config, databaseUrl: url.toString() },
    { logger: createLogger('api', { level: 'silent' }), ownsProcess: false },
  );
  const send = (method: string, path: string) =>
    fetch(`${readOnly.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'read-only' },
    });
  const paths = [
    '/orders',
    `/orders/${id}`,
    `/orders/${id}/timeline`,
    `/payments/${paymentId}`,
    '/provider-accounts',
  ];
  for (const path of paths) expect((await send('GET', `/v1${path}`)).status).toBe(200);
  expect((await send('POST', `/v1/orders/${id}/cancel`)).status).toBe(500);
  await readOnly.close();
});

test('a request with a malformed resource id gets a 404 response', async () => {
  for (const id of ['x', 'ord_', `ord_${randomText(90)}`, 'ord_%00', 'ord_a%20b']) {
    const { status } = await api.get(`/v1/orders/${id}`, key);
    expect([404, 414, 422]).toContain(status);
  }
});
