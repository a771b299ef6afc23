import { request } from 'node:http';
import { TEST_CARDS } from '../collection/banks/test-values.js';
import { type Harness, LIVE_KEY, startHarness, TEST_KEY } from '../testing/harness.js';

/**
 * What public client libraries of similar providers send and expect. See
 * docs/provider/payments-completion.md#settled-after-real-clients.
 */

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const NUMBER = TEST_CARDS.find((card) => card.threeds === 'not_required')?.value ?? '';
const raw = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${sandbox.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${TEST_KEY}`, ...init.headers },
  });
const made = async (path: string, body: object): Promise<string> => {
  const { status, body: answer } = await sandbox.call('POST', path, body);
  expect(status).toBe(200);
  return String(answer['id']);
};
const newCustomer = (more: object = {}): Promise<string> =>
  made('/v2/customers', { email: 'a@example.test', ...more });

describe('a renewed card', () => {
  let id = '';
  beforeAll(async () => {
    id = await made('/v2/cards', { number: NUMBER, exp_month: 3, exp_year: 2041 });
  });

  test('gets its new expiry date and keeps its id', async () => {
    const { status, body } = await sandbox.call('PATCH', `/v2/cards/${id}`, {
      exp_month: 4,
      exp_year: 2045,
      name: 'Ada Lovelace',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, exp_month: 4, exp_year: 2045, name: 'Ada Lovelace' });
    expect((await sandbox.call('GET', `/v2/cards/${id}`)).body).toEqual(body);
  });

  test('is recognised by its number and its new expiry date', async () => {
    const card = { number: NUMBER, exp_month: 4, exp_year: 2045 };
    expect(await made('/v2/cards', card)).toBe(id);
    const former = await made('/v2/cards', { ...card, exp_month: 3, exp_year: 2041 });
    expect(former).not.toBe(id);
    expect((await sandbox.call('GET', `/v2/cards/${former}`)).body).toMatchObject({
      exp_month: 3,
      exp_year: 2041,
    });
  });

  test('cannot get the expiry date of another stored card with its number, unless that is deleted', async () => {
    const other = await made('/v2/cards', { number: NUMBER, exp_month: 8, exp_year: 2046 });
    const renew = () => sandbox.call('PATCH', `/v2/cards/${id}`, { exp_month: 8, exp_year: 2046 });
    expect(await renew()).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('Another card has the same number') },
    });
    await sandbox.call('DELETE', `/v2/cards/${other}`);
    expect(await renew()).toMatchObject({ status: 200, body: { id, exp_year: 2046 } });
    expect(await made('/v2/cards', { number: NUMBER, exp_month: 8, exp_year: 2046 })).toBe(id);
  });

  test.each([
    ['an expiry month without a year', { exp_month: 5 }, 'exp_year'],
    ['an expiry year without a month', { exp_year: 2046 }, 'exp_month'],
    ['an expiry date in the past', { exp_month: 1, exp_year: 2001 }, 'exp_year'],
    ['a number', { number: NUMBER }, 'number'],
    ['a security code', { cvc: '123' }, 'cvc'],
  ])('cannot be changed by a PATCH with %s', async (_, body, field) => {
    const { status, body: answer } = await sandbox.call('PATCH', `/v2/cards/${id}`, body);
    expect(status).toBe(422);
    expect(answer).toMatchObject({ detail: [{ loc: ['body', field] }] });
  });
});

describe('a card outside the test list', () => {
  test.each([
    ['4242424242424242', 'visa', 'visa', 'credit', 'personal', 'GB'],
    ['5555555555554444', 'mastercard', 'mastercard', 'credit', 'personal', 'US'],
    ['2223003122003222', 'mastercard', 'mastercard', 'credit', 'personal', 'US'],
    ['378282246310005', 'amex', 'amex', 'credit', 'personal', 'US'],
    ['378734493671000', 'amex', 'amex', 'credit', 'corporate', 'US'],
    ['4970101234567893', 'visa', 'cb', 'debit', 'personal', 'FR'],
    ['6759649826438453', 'maestro', 'maestro', 'debit', 'personal', 'GB'],
    ['3530111333300000', 'jcb', 'jcb', 'credit', 'personal', 'JP'],
    ['6200000000000005', 'unionpay', 'unionpay', 'debit', 'personal', 'CN'],
    ['36227206271667', 'diners-club', 'diners-club', 'credit', 'personal', 'US'],
    ['9990777777777778', 'unknown', null, null, null, null],
  ])(
    'has the brand of its number range: %s',
    async (number, brand, network, funding, nature, country) => {
      const id = await made('/v2/cards', { number, exp_month: 3, exp_year: 2042 });
      expect((await sandbox.call('GET', `/v2/cards/${id}`)).body).toMatchObject({
        brand,
        network,
        funding,
        nature,
        country,
      });
    },
  );

  test('pays an intent as a test card does: after 3-D Secure at the bank, or directly with threeds none', async () => {
    const card = await made('/v2/cards', {
      number: '4242424242424242',
      exp_month: 7,
      exp_year: 2042,
    });
    const pays = async (more: object, key?: string) => {
      const intent = await made('/v2/payment_intents', { amount: 900, capture: false, ...more });
      const { body } = await sandbox.call('PATCH', `/v2/payment_intents/${intent}`, { card }, key);
      return body;
    };
    const asked = await pays({});
    expect(asked).toMatchObject({ status: 'require_authentication' });
    const { body: payment } = await sandbox.call('GET', `/v2/payments/${String(asked['payment'])}`);
    expect(payment).toMatchObject({
      auth: { status: 'requested', redirect_url: expect.any(String) },
    });
    expect(await pays({ threeds: 'none' })).toMatchObject({ status: 'authorized' });
    expect(await pays({ threeds: 'none', capture: true })).toMatchObject({ status: 'to_capture' });
  });
});

test('every test card has a brand, network, funding, nature and country', async () => {
  const cards = await Promise.all(
    TEST_CARDS.map(({ value: number }) =>
      sandbox.call('POST', '/v2/cards', { number, exp_month: 9, exp_year: 2043 }),
    ),
  );
  for (const { body } of cards) {
    for (const field of ['brand', 'network', 'funding', 'nature', 'country']) {
      expect([field, body[field]]).toEqual([field, expect.any(String)]);
    }
  }
});

test.each([
  ['JSON with fields', 'application/json', '{"reason":"unused"}'],
  ['what is not JSON', 'application/json', '{"reason":'],
  ['a form', 'application/x-www-form-urlencoded', 'reason=unused'],
])('a DELETE may have the body %s, which is ignored', async (_, type, body) => {
  const id = await newCustomer();
  const answer = await raw(`/v2/customers/${id}`, {
    method: 'DELETE',
    body,
    headers: { 'content-type': type },
  });
  expect([answer.status, await answer.json()]).toMatchObject([200, { id, deleted: true }]);
  // After a rejected request, the connection remains usable for the next request.
  expect((await raw('/v2/ping')).status).toBe(200);
});

describe('the filters of lists', () => {
  const idsOf = async (path: string, plural: string): Promise<readonly string[]> => {
    const { status, body } = await sandbox.call('GET', path);
    expect(status).toBe(200);
    return (
      (body as unknown as Record<string, readonly { readonly id: string }[]>)[plural]?.map(
        ({ id }) => id,
      ) ?? []
    );
  };

  test.each([
    ['external_id', 'their-7'],
    ['email', 'seven@example.test'],
    ['mobile', '+33612345677'],
    // The digits of this mobile number satisfy the Luhn check.
    ['mobile', '+4915112345678'],
  ])('select customers by %s', async (name, value) => {
    await newCustomer();
    const id = await newCustomer({ [name]: value });
    expect(await idsOf(`/v2/customers?${name}=${encodeURIComponent(value)}`, 'customers')).toEqual([
      id,
    ]);
  });

  test('select cards, bank accounts and mandates by customer, and mandates also by bank account', async () => {
    const customer = await newCustomer();
    const card = await made('/v2/cards', {
      number: NUMBER,
      exp_month: 6,
      exp_year: 2042,
      customer,
    });
    const account = { name: 'Ada Lovelace', iban: 'FR7630006000011234567890189' };
    const sepa = await made('/v2/sepa', { ...account, customer });
    const mandate = await made('/v2/mandates', { sepa });
    await made('/v2/mandates', { sepa: await made('/v2/sepa', account) });
    expect(await idsOf(`/v2/cards?customer=${customer}`, 'cards')).toEqual([card]);
    expect(await idsOf(`/v2/sepa?customer=${customer}`, 'sepa')).toEqual([sepa]);
    expect(await idsOf(`/v2/mandates?customer=${customer}`, 'mandates')).toEqual([mandate]);
    expect(await idsOf(`/v2/mandates?sepa=${sepa}`, 'mandates')).toEqual([mandate]);
  });

  test.each([
    '/v2/customers',
    '/v2/cards',
    '/v2/sepa',
    '/v2/mandates',
    '/v2/addresses',
    '/v2/payment_intents',
    '/v2/payments',
    '/v2/refunds',
    '/v2/disputes',
    '/v2/payouts',
    '/v2/products',
    '/v2/prices',
    '/v2/subscriptions',
    '/v2/events',
    '/v2/webhook_endpoints',
  ])('are rejected when unknown: %s', async (path) => {
    const { status, body } = await sandbox.call('GET', `${path}?colour=blue`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', 'colour'] }] });
  });
});

test('a country code is accepted in upper or lower case and returned in upper case', async () => {
  const { body: customer } = await sandbox.call('POST', '/v2/customers', {
    email: 'a@example.test',
    country: 'fr',
  });
  const { body: address } = await sandbox.call('POST', '/v2/addresses', {
    zip_code: '75002',
    city: 'Paris',
    country: 'fR',
  });
  const { body: moved } = await sandbox.call('PATCH', `/v2/addresses/${String(address['id'])}`, {
    country: 'de',
  });
  expect([customer['country'], address['country'], moved['country']]).toEqual(['FR', 'FR', 'DE']);
});

describe('metadata', () => {
  test.each([
    ['an object', { a: { b: [1, 'two', null] } }],
    ['a list', [1, { b: true }]],
    ['a text', 'as it came'],
    ['a number', 12.5],
    ['a truth', false],
  ])('is returned unchanged: %s', async (_, metadata) => {
    const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 100, metadata });
    const { body: read } = await sandbox.call('GET', `/v2/payment_intents/${String(body['id'])}`);
    expect([body['metadata'], read['metadata']]).toEqual([metadata, metadata]);
  });

  const send = async (json: string): Promise<unknown> => {
    const answer = await raw('/v2/payment_intents', {
      method: 'POST',
      body: `{"amount":100,"metadata":${json}}`,
      headers: { 'content-type': 'application/json' },
    });
    return [answer.status, await answer.json()];
  };
  const refused = (type: string): unknown => [
    422,
    { detail: [{ loc: ['body', 'metadata'], msg: expect.any(String), type }] },
  ];

  test.each(['9007199254740993', '{"a":[-9007199254740993]}', '1e400'])(
    'is rejected with a number that cannot be returned unchanged: %s',
    async (json) => expect(await send(json)).toEqual(refused('number_too_large')),
  );

  test('may contain the largest integer that is returned unchanged', async () => {
    const metadata = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    expect(await send(JSON.stringify(metadata))).toMatchObject([200, { metadata }]);
  });

  test('may be nested at most 100 levels', async () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(await send(nested(100))).toMatchObject([200, { metadata: expect.any(Array) }]);
    expect(await send(nested(101))).toEqual(refused('too_deep'));
    expect(await send(nested(30_000))).toEqual(refused('too_deep'));
  });

  test('may have at most 16 KiB', async () => {
    const of = (bytes: number) =>
      sandbox.call('POST', '/v2/payment_intents', {
        amount: 100,
        metadata: 'x'.repeat(bytes - 2),
      });
    expect((await of(16_384)).status).toBe(200);
    const { status, body } = await of(16_385);
    expect(status).toBe(422);
    expect(body).toMatchObject({
      detail: [
        {
          loc: ['body', 'metadata'],
          type: 'too_large',
          msg: 'Input is larger than 16384 bytes',
        },
      ],
    });
  });
});

test('a ping returns the mode and the account of the key', async () => {
  const ping = (key?: string) => sandbox.call('GET', '/v2/ping', undefined, key);
  expect((await ping()).body).toEqual({ ping: 'pong', mode: 'test', account: 'acct_house' });
  expect((await ping(LIVE_KEY)).body).toMatchObject({ mode: 'live', account: 'acct_house' });
});

test('the URL of a mandate’s document accepts only GET', async () => {
  const sepa = await made('/v2/sepa', {
    name: 'Ada Lovelace',
    iban: 'FR7630006000011234567890189',
  });
  const path = `/v2/mandates/${await made('/v2/mandates', { sepa })}.pdf`;
  for (const method of ['POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']) {
    const answer = await raw(path, { method });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([
      method,
      405,
      'GET, HEAD',
    ]);
  }
});

test('a request with an absolute URL, as proxies send it, matches the same route as a request with the path alone', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(sandbox.url);
    request(
      {
        hostname,
        port,
        path: `${sandbox.url}/v2/ping`,
        headers: { authorization: `Bearer ${TEST_KEY}` },
      },
      (answer) => resolve(answer.resume().statusCode),
    )
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
});
