import { ask, KEY, LIVE } from '../../onboarding/testing/partner.js';
import { basic, type Harness, startHarness, TEST_KEY } from '../../testing/harness.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const raw = (path: string, init: RequestInit = {}) => fetch(`${sandbox.url}${path}`, init);

test.each([
  ['no key', ''],
  ['an unknown key', basic('spart_test_unknownunknown')],
  ['a key of the payment API', basic(TEST_KEY)],
  ['a password beside the key', `Basic ${Buffer.from(`${KEY}:x`).toString('base64')}`],
  ['another scheme', `Bearer ${KEY}`],
])(
  'a request with %s returns 401, even if the request is also invalid',
  async (_, authorization) => {
    const headers = { authorization, 'content-type': 'application/json' };
    for (const path of [
      '/api/partners/service',
      '/api/partners/nowhere',
      '/api/partners/company',
    ]) {
      const response = await raw(path, { method: 'POST', headers, body: '{' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Basic');
      expect(await response.json()).toEqual({ type: 'unauthorized', message: expect.any(String) });
    }
  },
);

test('a test or live key is accepted as the username of HTTP Basic with an empty password', async () => {
  for (const key of [KEY, LIVE]) {
    expect((await ask(sandbox, 'GET', '/service', undefined, key)).status).toBe(200);
  }
});

test('the payment API and the onboarding API each respond with their own error format', async () => {
  expect((await ask(sandbox, 'GET', '/nowhere')).body).toEqual({
    type: 'not-found',
    message: 'no route exists at this path',
  });
  expect((await ask(sandbox, 'DELETE', '/service')).body).toEqual({
    type: 'method-not-allowed',
    message: 'this path accepts GET, HEAD',
  });
  const payment = await raw('/v2/nowhere', { headers: { authorization: basic(TEST_KEY) } });
  expect(await payment.json()).toEqual({ error: 'Not found' });
});

test('an unsupported media type returns 415, invalid JSON 422, a huge body 413', async () => {
  const post = async (type: string, body: string): Promise<unknown> => {
    const headers = { authorization: basic(KEY), 'content-type': type };
    const response = await raw('/api/partners/company', { method: 'POST', headers, body });
    return [response.status, ((await response.json()) as { type: string }).type];
  };
  expect(await post('text/plain', 'company')).toEqual([415, 'unsupported-media-type']);
  expect(await post('application/json', '{"user":')).toEqual([422, 'validation']);
  expect(await post('application/json', `{"a":"${'x'.repeat(70_000)}"}`)).toEqual([
    413,
    'too-large',
  ]);
});
