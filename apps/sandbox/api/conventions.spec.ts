import { basic, type Harness, LIVE_KEY, startHarness, TEST_KEY } from '../testing/harness.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const raw = (path: string, init: RequestInit = {}, authorization = basic(TEST_KEY)) =>
  fetch(`${sandbox.url}${path}`, { ...init, headers: { authorization, ...init.headers } });

const json = (body: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
});

const PAYER = 'a.payer@example.test';

const nested = (levels: number): object =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;

const UNKNOWN_ID = 'pi_aaaaaaaaaaaaaaaaaaaaaaaa';

describe('a request with', () => {
  test.each([
    ['no key', ''],
    ['an unknown key', basic('stest_unknown')],
    ['the key as the password', `Basic ${Buffer.from(`:${TEST_KEY}`).toString('base64')}`],
    ['a password beside the key', `Basic ${Buffer.from(`${TEST_KEY}:x`).toString('base64')}`],
    ['an unsupported authentication scheme', `Digest ${TEST_KEY}`],
  ])('%s returns 401, even if the request is also invalid', async (_, authorization) => {
    for (const path of ['/v2/ping', '/v2/nowhere', '/v2/payment_intents/']) {
      const response = await raw(path, json('{'), authorization);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Basic');
      expect(await response.json()).toEqual({
        error: {
          type: 'invalid_request_error',
          message: 'You are not authorized to access that resource',
        },
      });
    }
  });

  test('a key is accepted as Basic or Bearer credentials', async () => {
    expect((await raw('/v2/ping')).status).toBe(200);
    expect((await raw('/v2/ping/', {}, `Bearer ${LIVE_KEY}`)).status).toBe(200);
  });

  test('a live key cannot access test objects: GET returns 404, and lists are empty', async () => {
    const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 100 });
    const path = `/v2/payment_intents/${body['id']}`;
    expect((await sandbox.call('GET', path)).status).toBe(200);
    for (const [method, to] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/capture'],
    ] as const) {
      expect((await sandbox.call(method, path + to, undefined, LIVE_KEY)).status).toBe(404);
    }
    const list = await sandbox.call('GET', '/v2/payment_intents', undefined, LIVE_KEY);
    expect(list.body).toEqual({
      payment_intents: [],
      range: { start: 0, end: 0, limit: 10, count: 0, has_more: false },
    });
  });
});

describe('an invalid request', () => {
  const cases: readonly [string, string, RequestInit, number, unknown][] = [
    [
      'an unknown object',
      `/v2/payment_intents/${UNKNOWN_ID}`,
      {},
      404,
      { error: `Payment intent \`${UNKNOWN_ID}\` not found` },
    ],
    ['an unknown route', '/v2/nothing', {}, 404, { error: 'Not found' }],
    [
      'a method that the path does not support',
      '/v2/ping',
      { method: 'DELETE' },
      405,
      { error: 'Method not allowed' },
    ],
    [
      'a method that the object does not support',
      `/v2/payment_intents/${UNKNOWN_ID}`,
      { method: 'PUT' },
      405,
      { error: 'Method not allowed' },
    ],
    [
      'an unsupported media type',
      '/v2/customers/',
      { method: 'POST', body: 'a=1', headers: { 'content-type': 'text/plain' } },
      415,
      { error: 'Unsupported media type: send application/json' },
    ],
    [
      'a form',
      '/v2/customers/',
      { method: 'POST', body: new URLSearchParams({ name: 'x' }) },
      415,
      { error: 'Unsupported media type: send application/json' },
    ],
    [
      'a body that is too large',
      '/v2/customers/',
      json(`{"name":"${'x'.repeat(70_000)}"}`),
      413,
      { error: 'The body is too large' },
    ],
    [
      'a path with an invalid escape sequence',
      '/v2/payment_intents/%zz',
      {},
      400,
      { error: expect.any(String) as unknown },
    ],
    [
      'a body that is not JSON',
      '/v2/customers/',
      json('{"name":'),
      422,
      { detail: [{ loc: ['body'], msg: 'The body is not valid JSON', type: 'json_invalid' }] },
    ],
    [
      'a missing body',
      '/v2/customers/',
      { method: 'POST' },
      422,
      { detail: [{ loc: ['body'], msg: 'Input must be object', type: 'object_type' }] },
    ],
  ];
  test.each(cases)(
    'is rejected with the documented status and error: %s',
    async (_, path, init, status, body) => {
      const response = await raw(path, init);
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await response.json()).toEqual(body);
      if (status === 405) expect(response.headers.get('allow')).toContain('GET');
    },
  );

  test.each([
    ['a malformed id in the path', 'GET', '/v2/payment_intents/pi_1', undefined, ['path', 'id']],
    [
      'an id of another resource type',
      'GET',
      `/v2/payments/${UNKNOWN_ID}`,
      undefined,
      ['path', 'id'],
    ],
    ['an unknown key', 'POST', '/v2/payment_intents', { amount: 1, colour: 1 }, ['body', 'colour']],
    ['a missing key', 'POST', '/v2/payment_intents', {}, ['body', 'amount']],
    ['an amount of zero', 'POST', '/v2/payment_intents', { amount: 0 }, ['body', 'amount']],
    [
      'an amount with a fraction',
      'POST',
      '/v2/payment_intents',
      { amount: 1.5 },
      ['body', 'amount'],
    ],
    ['an amount as text', 'POST', '/v2/payment_intents', { amount: '100' }, ['body', 'amount']],
    [
      'an amount above the maximum',
      'POST',
      '/v2/payment_intents',
      { amount: 4294967296 },
      ['body', 'amount'],
    ],
    ['an amount of null', 'POST', '/v2/payment_intents', { amount: null }, ['body', 'amount']],
    [
      'an upper-case currency',
      'POST',
      '/v2/payment_intents',
      { amount: 1, currency: 'EUR' },
      ['body', 'currency'],
    ],
    [
      'a short description',
      'POST',
      '/v2/payment_intents',
      { amount: 1, description: 'ab' },
      ['body', 'description'],
    ],
    [
      'sepa in dollars',
      'POST',
      '/v2/payment_intents',
      { amount: 1, currency: 'usd', methods_allowed: 'sepa,card' },
      ['body', 'methods_allowed'],
    ],
    [
      'a customer who is not there',
      'POST',
      '/v2/payment_intents',
      { amount: 1, customer: 'cust_aaaaaaaaaaaaaaaaaaaaaaaa' },
      ['body', 'customer'],
    ],
    [
      'a card number',
      'POST',
      '/v2/payment_intents',
      { amount: 1, description: 'card 9999 0000 0000 0012' },
      ['body', 'description'],
    ],
    [
      'what is no text',
      'POST',
      '/v2/payment_intents',
      { amount: 1, description: 'a\0bc' },
      ['body', 'description'],
    ],
    [
      'half a character',
      'POST',
      '/v2/payment_intents',
      { amount: 1, metadata: { a: '\ud800' } },
      ['body', 'metadata'],
    ],
    ['no text in a filter', 'GET', '/v2/payments?order_id=%00', undefined, ['query', 'order_id']],
    [
      'a day that is none',
      'POST',
      '/v2/payment_intents',
      { amount: 1, date_settlement: '2026-02-30' },
      ['body', 'date_settlement'],
    ],
    [
      'endless nesting',
      'POST',
      '/v2/payment_intents',
      { amount: 1, metadata: nested(2_000) },
      ['body', 'metadata'],
    ],
    [
      'a body of a verb without one',
      'POST',
      `/v2/payment_intents/${UNKNOWN_ID}/capture`,
      { amount: 1 },
      ['body', 'amount'],
    ],
    ['a limit too high', 'GET', '/v2/payments?limit=101', undefined, ['query', 'limit']],
    ['a negative start', 'GET', '/v2/payments/?start=-1', undefined, ['query', 'start']],
    ['a nameless customer', 'POST', '/v2/customers', { name: 'A. Payer' }, ['body', 'email']],
    ['a webhook over http', 'POST', '/v2/webhooks', { url: 'http://shop.test/' }, ['body', 'url']],
  ])('is rejected with a 422 that names the field: %s', async (_, method, path, body, loc) => {
    const answer = await sandbox.call(method, path, body);
    expect(answer.status).toBe(422);
    expect(answer.body['detail']).toContainEqual({
      loc,
      msg: expect.any(String),
      type: expect.any(String),
    });
  });
});

test('a payment intent is returned with every field; fields without a value are null', async () => {
  const { body } = await sandbox.call('POST', '/v2/payment_intent/', { amount: 100 });
  expect(body).toEqual({
    id: expect.stringMatching(/^pi_[a-zA-Z0-9]{24}$/),
    url: `http://sandbox.test/pay/${body['id']}`,
    status: 'require_payment_method',
    created_at: expect.any(Number),
    amount: 100,
    currency: 'eur',
    capture: true,
    methods_allowed: ['card', 'sepa'],
    threeds: null,
    description: null,
    customer: null,
    card: null,
    sepa: null,
    order_id: null,
    unique_id: null,
    return_url: null,
    date_settlement: null,
    metadata: null,
    billing_address: null,
    shipping_address: null,
    payment: null,
  });
  expect(Number.isInteger(body['created_at'])).toBe(true);
  for (const path of ['payment_intents', 'payment_intent']) {
    for (const slash of ['', '/']) {
      const read = await sandbox.call('GET', `/v2/${path}/${body['id']}${slash}`);
      expect([read.status, read.body]).toEqual([200, body]);
    }
  }
});

test('a unique_id can be used only once in each mode', async () => {
  const body = { amount: 100, unique_id: 'once' };
  const first = await sandbox.call('POST', '/v2/payment_intents', body);
  const second = await sandbox.call('POST', '/v2/payment_intents', body);
  expect([first.status, second.status]).toEqual([200, 409]);
  expect(second.body['error']).toContain(first.body['id']);
  expect((await sandbox.call('POST', '/v2/payment_intents', body, LIVE_KEY)).status).toBe(200);
  const found = await sandbox.call('GET', '/v2/payment_intents?unique_id=once');
  expect(found.body['payment_intents']).toEqual([first.body]);
});

test('a list returns its objects in pages, newest first; the filter `created` selects objects created at or after a time', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const order = { amount: 100 + index, order_id: 'paged' };
    ids.unshift((await sandbox.call('POST', '/v2/payment_intents', order)).body['id'] ?? '');
  }
  const page = async (query: string) => {
    const { body } = await sandbox.call('GET', `/v2/payment_intents?order_id=paged&${query}`);
    const rows = body['payment_intents'] as unknown as { id: string }[];
    return { ids: rows.map((row) => row.id), range: body['range'] as unknown };
  };
  expect(await page('limit=2')).toEqual({
    ids: ids.slice(0, 2),
    range: { start: 0, end: 1, limit: 2, count: 2, has_more: true },
  });
  expect(await page('start=3&limit=2')).toEqual({
    ids: ids.slice(3),
    range: { start: 3, end: 4, limit: 2, count: 2, has_more: false },
  });
  expect((await page('start=9')).range).toEqual({
    start: 9,
    end: 9,
    limit: 10,
    count: 0,
    has_more: false,
  });
  expect((await page(`created=${Math.floor(Date.now() / 1_000) - 60}`)).ids).toEqual(ids);
  expect((await page(`created=${Math.floor(Date.now() / 1_000) + 60}`)).ids).toEqual([]);
});

test('customers and webhook endpoints can be created, read and listed; webhook endpoints can be deleted', async () => {
  const customer = await sandbox.call('POST', '/v2/customers/', { email: PAYER });
  expect(customer.body).toMatchObject({ deleted: false, name: null, email: PAYER });
  const read = await sandbox.call('GET', `/v2/customer/${customer.body['id']}`);
  expect(read.body).toEqual(customer.body);
  const of = await sandbox.call('POST', '/v2/payment_intents', {
    amount: 100,
    customer: customer.body['id'],
  });
  expect(of.body['customer']).toBe(customer.body['id']);

  const endpoint = await sandbox.call('POST', '/v2/webhooks/', { url: 'https://shop.test/hook' });
  expect(endpoint.body).toEqual({
    id: expect.stringMatching(/^we_[a-zA-Z0-9]{24}$/),
    url: 'https://shop.test/hook',
    enabled: true,
    secret: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const path = `/v2/webhooks/${endpoint.body['id']}`;
  const off = await sandbox.call('PATCH', path, { enabled: false });
  expect(off.body).toEqual({ ...endpoint.body, enabled: false });
  const list = await sandbox.call('GET', '/v2/webhook_endpoints/');
  expect(list.body['webhook_endpoints']).toEqual([off.body]);
  expect((await sandbox.call('DELETE', path)).status).toBe(204);
  expect((await sandbox.call('DELETE', path)).status).toBe(404);
  expect((await sandbox.call('GET', path)).status).toBe(404);
});

test('the published test cards have numbers that no real card can have', async () => {
  const published = await (await fetch(`${sandbox.url}/sandbox/test-values`)).json();
  const values = (published as { kind: string }[]).filter(({ kind }) => kind === 'card');
  expect(values).toHaveLength(18);
  for (const value of values) {
    expect(value).toEqual({
      kind: 'card',
      scenario: expect.any(String),
      value: expect.stringMatching(/^9999\d{12}$/),
      response: expect.any(String),
      result: expect.stringMatching(/Accepted|Captured|Refused|Disputed/),
    });
  }
});
