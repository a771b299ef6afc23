import { request as httpRequest } from 'node:http';
import { connect } from 'node:http2';
import { developmentCertificate } from '#testing';
import { basic, type Harness, PARTNERS, startHarness, TEST_KEY } from '../testing/harness.js';

let sandbox: Harness;
beforeAll(async () => {
  const { certFile, keyFile } = developmentCertificate();
  sandbox = await startHarness({ tls: { port: 0, certFile, keyFile } });
});
afterAll(() => sandbox.stop());

/** A request whose target is written exactly so; `fetch` would mend it. */
const written = (method: string, target: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(sandbox.url);
    const request = httpRequest({ hostname, port, method, path: target }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject).end();
  });

const post = (path: string, body: string, type = 'application/json') =>
  fetch(`${sandbox.url}${path}`, { method: 'POST', body, headers: { 'content-type': type } });

describe('the key is asked for however an address is written', () => {
  test.each([
    '/%762/webhooks', '/v%32/webhooks', 'http://sandbox.test/v2/webhooks', '/%76%32/webhooks/',
    '/v2%2Fwebhooks', '//v2/webhooks', '/V2/webhooks',
  ])('%s', async (target) => {
    expect([401, 404, 400]).toContain(await written('GET', target));
  });
});

describe('texts that no database takes', () => {
  test.each(['/pay/%00', '/pay/pi_%00/state', '/bank/%00', '/pay/%ED%A0%80'])(
    'in the path %s are not known',
    async (path) => {
      expect([400, 404]).toContain((await fetch(`${sandbox.url}${path}`)).status);
    },
  );

  test.each(['Jo\\u0000hn', 'Jo\\ud800hn'])('in the name %s are refused', async (name) => {
    const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 100 });
    const card =
      `{"number":"9999000000000079","expMonth":12,"expYear":2090,"cvc":"123","name":"${name}"}`;
    const answer = await post(`/pay/${body['id']}/card`, card);
    expect(answer.status).toBe(422);
  });

  test('in the path of a decision are not known', async () => {
    expect((await post('/bank/%00/decision', '{"decision":"approve"}')).status).toBe(404);
    expect((await post('/pay/%00/confirm', '{}')).status).toBe(404);
  });
});

test('a card number written as a number is refused, however deep', async () => {
  const body = { amount: 100, metadata: { deep: [{ n: 4_111_111_111_111_111 }] } };
  expect((await sandbox.call('POST', '/v2/payment_intents', body)).status).toBe(422);
});

describe('bodies of another type', () => {
  test.each(['/pay/pi_x/card', '/sandbox/clock', '/bank/auth_x/decision'])(
    'are a 415 at %s, too',
    async (path) => expect((await post(path, 'x', 'text/plain')).status).toBe(415),
  );

  test('a form of another site cannot move the clock', async () => {
    const answer = await post('/sandbox/clock', 'advance=P1D', 'application/x-www-form-urlencoded');
    expect(answer.status).toBe(415);
  });
  test('are a 415 over HTTP/2, where no header tells of a body', async () => {
    const client = connect(sandbox.http.tlsUrl ?? '', { rejectUnauthorized: false });
    const status = await new Promise((resolve) => {
      const stream = client.request({
        ':method': 'POST', ':path': '/v2/payment_intents', authorization: basic(TEST_KEY),
        'content-type': 'text/plain',
      });
      stream.on('response', (headers) => resolve(headers[':status']));
      stream.resume();
      stream.end('x');
    });
    client.destroy();
    expect(status).toBe(415);
  });
});

describe('a method that no route has is a 405, whatever is in the body', () => {
  test.each([
    ['QUERY', '/v2/cards', TEST_KEY], ['TRACE', '/v2/payment_intents', TEST_KEY],
    ['PROPFIND', '/api/partners/service', PARTNERS[0].testKey],
  ])('%s %s', async (method, path, key) => {
    const { hostname, port } = new URL(sandbox.url);
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: basic(key), 'content-type': 'text/plain', 'content-length': 1 };
      httpRequest({ hostname, port, method, path, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      }).on('error', reject).end('x');
    });
    expect(status).toBe(405);
  });
});

test.each(['constructor', '__proto__', 'toString'])('the resource %s is not found', async (name) => {
  expect((await sandbox.call('GET', `/v2/${name}`)).status).toBe(404);
  expect((await sandbox.call('GET', `/v2/${name}/x`)).status).toBe(404);
});

test('an id that is much too long has the wrong pattern, like any other', async () => {
  const { status } = await sandbox.call('GET', `/v2/payment_intents/pi_${'a'.repeat(500)}`);
  expect(status).toBe(422);
});
