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

/** Sends a request with exactly this target; `fetch` would normalise the target. */
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

describe('the API key check', () => {
  test.each([
    '/%762/webhooks',
    '/v%32/webhooks',
    'http://sandbox.test/v2/webhooks',
    '/%76%32/webhooks/',
    '/v2%2Fwebhooks',
    '//v2/webhooks',
    '/V2/webhooks',
  ])('cannot be bypassed by the spelling %s of a URL', async (target) => {
    expect([401, 404, 400]).toContain(await written('GET', target));
  });
});

describe('texts that PostgreSQL cannot store', () => {
  test.each(['/pay/%00', '/pay/pi_%00/state', '/bank/%00', '/pay/%ED%A0%80'])(
    'are rejected as an id in the path %s',
    async (path) => {
      expect([400, 404]).toContain((await fetch(`${sandbox.url}${path}`)).status);
    },
  );

  test.each(['Jo\\u0000hn', 'Jo\\ud800hn'])(
    'are rejected in a cardholder name: %s',
    async (name) => {
      const { body } = await sandbox.call('POST', '/v2/payment_intents', { amount: 100 });
      const card = `{"number":"9999000000000079","expMonth":12,"expYear":2090,"cvc":"123","name":"${name}"}`;
      const answer = await post(`/pay/${body['id']}/card`, card);
      expect(answer.status).toBe(422);
    },
  );

  test("are rejected as an id in the URLs of the payer's decision and confirmation", async () => {
    expect((await post('/bank/%00/decision', '{"decision":"approve"}')).status).toBe(404);
    expect((await post('/pay/%00/confirm', '{}')).status).toBe(404);
  });
});

describe('texts that PostgreSQL cannot store, sent to the onboarding API,', () => {
  const key = basic(PARTNERS[0].testKey);
  const multipart = () => {
    const body = new FormData();
    body.append('file', new Blob(['%PDF-1.7']), 'paper.pdf');
    return body;
  };

  test.each(['%00', `${'a'.repeat(29)}%00`, '%ED%A0%80', 'a%27--'])(
    'are rejected as the token of an upload or registration URL: %s',
    async (token) => {
      const uploads = ['POST', 'PATCH'].map((method) =>
        fetch(`${sandbox.url}/api/partners/document/${token}`, { method, body: multipart() }),
      );
      for (const answer of await Promise.all(uploads)) expect([400, 404]).toContain(answer.status);
      const page = await fetch(`${sandbox.url}/subscription/${token}`);
      expect([400, 404]).toContain(page.status);
      for (const [path, body] of [
        ['code', '{}'],
        ['sign', '{"code":"1234","version":1}'],
        ['keys', '{}'],
        ['terminals/term_x', '{"move":"lose"}'],
      ] as const) {
        expect((await post(`/subscription/${token}/${path}`, body)).status).toBeLessThan(500);
      }
    },
  );

  test.each(['comp_%00', '%00', 'comp_%ED%A0%80'])(
    'are rejected as an id in the query string: %s',
    async (id) => {
      const ask = (path: string, method = 'GET') =>
        fetch(`${sandbox.url}${path}`, { method, headers: { authorization: key } });
      const statuses = await Promise.all([
        ask(`/api/partners/company?id=${id}`),
        ask(`/api/partners/company-keys?company=${id}`),
        ask(`/api/partners/document?company=${id}&document=${id}`, 'DELETE'),
        ask(`/api/partners/payment-terminal?company=${id}&account=${id}`),
        ask(`/api/partners/company-head?company=${id}&id=${id}&type=owner`, 'DELETE'),
      ]);
      for (const { status } of statuses) expect([404, 422]).toContain(status);
      expect((await ask(`/sandbox/onboarding/inbox?company=${id}`)).status).toBe(200);
    },
  );

  test('are rejected as the id of a terminal', async () => {
    const user = {
      'first-name': 'A',
      'last-name': 'B',
      contact: { email: 'attacks@example.test' },
    };
    const company = {
      user,
      country: 'fra',
      'legal-form': 'fra-sas',
      'legal-id': '732829320',
      'legal-name': 'A',
    };
    const partners = `${sandbox.url}/api/partners`;
    const made = await fetch(`${partners}/company`, {
      method: 'POST',
      body: JSON.stringify(company),
      headers: { authorization: key, 'content-type': 'application/json' },
    });
    const {
      company: { id },
    } = (await made.json()) as { company: { id: string } };
    const link = await fetch(`${partners}/subscription-link?company=${id}`, {
      headers: { authorization: key },
    });
    const { pathname } = new URL(((await link.json()) as { link: string }).link);
    const answer = await post(`${pathname}/terminals/%00`, '{"move":"lose"}');
    expect([answer.status, await answer.json()]).toEqual([200, { outcome: 'refused' }]);
  });
});

test('a card number that is sent as a JSON number is rejected at any depth of the body', async () => {
  const body = { amount: 100, metadata: { deep: [{ n: 4_111_111_111_111_111 }] } };
  expect((await sandbox.call('POST', '/v2/payment_intents', body)).status).toBe(422);
});

describe('bodies with an unsupported media type', () => {
  test.each(['/pay/pi_x/card', '/sandbox/clock', '/bank/auth_x/decision'])(
    'are rejected with 415 at %s',
    async (path) => expect((await post(path, 'x', 'text/plain')).status).toBe(415),
  );

  test('are rejected when a form on another site submits them to move the clock', async () => {
    const answer = await post('/sandbox/clock', 'advance=P1D', 'application/x-www-form-urlencoded');
    expect(answer.status).toBe(415);
  });
  test('are rejected with 415 over HTTP/2, whose requests may have a body without a length header', async () => {
    const client = connect(sandbox.http.tlsUrl ?? '', { rejectUnauthorized: false });
    const status = await new Promise((resolve) => {
      const stream = client.request({
        ':method': 'POST',
        ':path': '/v2/payment_intents',
        authorization: basic(TEST_KEY),
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

describe('a request with an unsupported method returns 405, whatever its body', () => {
  test.each([
    ['QUERY', '/v2/cards', TEST_KEY],
    ['TRACE', '/v2/payment_intents', TEST_KEY],
    ['PROPFIND', '/api/partners/service', PARTNERS[0].testKey],
  ])('%s %s', async (method, path, key) => {
    const { hostname, port } = new URL(sandbox.url);
    const status = await new Promise((resolve, reject) => {
      const headers = {
        authorization: basic(key),
        'content-type': 'text/plain',
        'content-length': 1,
      };
      httpRequest({ hostname, port, method, path, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end('x');
    });
    expect(status).toBe(405);
  });
});

test.each(['constructor', '__proto__', 'toString'])(
  'the unknown resource %s returns 404',
  async (name) => {
    expect((await sandbox.call('GET', `/v2/${name}`)).status).toBe(404);
    expect((await sandbox.call('GET', `/v2/${name}/x`)).status).toBe(404);
  },
);

test('a very long id is rejected with the same error as any malformed id', async () => {
  const { status } = await sandbox.call('GET', `/v2/payment_intents/pi_${'a'.repeat(500)}`);
  expect(status).toBe(422);
});
