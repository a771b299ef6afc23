import { request as httpRequest } from 'node:http';
import { connect } from 'node:http2';
import { readFileSync } from 'node:fs';
import { developmentCertificate } from '#testing';
import { type Harness, startHarness } from '../testing/harness.js';

let sandbox: Harness;
beforeAll(async () => {
  const { certFile, keyFile } = developmentCertificate();
  sandbox = await startHarness({
    tls: { port: 0, certFile, keyFile },
    publicUrl: 'https://sandbox.test:4103',
  });
});
afterAll(() => sandbox.stop());

/** Simulates DNS rebinding: a request with a host name that resolves to this machine. */
const withHost = (host: string, method: string, path: string, body = ''): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(sandbox.url);
    const headers = { host, 'content-type': 'application/json' };
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject).end(body);
  });

const overHttp2 = (authority: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { caFile } = developmentCertificate();
    const session = connect(`https://localhost:${sandbox.http.tlsPort}`, {
      ca: readFileSync(caFile),
    });
    session.on('error', reject);
    const stream = session.request({ ':path': '/sandbox/clock', ':authority': authority });
    stream.on('response', ({ ':status': status }) => {
      session.close();
      resolve(status ?? 0);
    });
    stream.on('error', reject).resume().end();
  });

const clock = async (): Promise<string> =>
  String((await sandbox.call('GET', '/sandbox/clock')).body['now']);

const STRANGERS = [
  'evil.test',
  'evil.test:4103',
  '127.evil.test',
  '127.0.0.1.evil.test',
  'localhost.evil.test',
  '10.0.0.7',
  'sandbox.test.evil.test',
  'evil.test@127.0.0.1',
];

test.each(STRANGERS)(
  'control requests are rejected without effect when the Host header is %p',
  async (host) => {
    const before = await clock();
    expect(await withHost(host, 'POST', '/sandbox/clock', '{"advance":"P1D"}')).toBe(403);
    expect(await withHost(host, 'POST', '/%73andbox/clock', '{"advance":"P1D"}')).toBe(403);
    expect(await withHost(host, 'GET', '/sandbox/test-values')).toBe(403);
    const fault = '{"route":"POST /v2/customers","kind":"drop_after","count":1}';
    expect(await withHost(host, 'POST', '/sandbox/faults', fault)).toBe(403);
    expect(Date.parse(await clock()) - Date.parse(before)).toBeLessThan(60_000);
  },
);

test.each([
  '127.0.0.1',
  '127.0.0.1:4103',
  'localhost:1',
  'LOCALHOST',
  '[::1]:4103',
  '127.8.9.10',
  'sandbox.test',
  'sandbox.test:4103',
  'Sandbox.Test',
])('control requests are accepted when the Host header is %p', async (host) => {
  expect(await withHost(host, 'GET', '/sandbox/clock')).toBe(200);
});

test('the host name of a control request is also checked over HTTP/2', async () => {
  expect(await overHttp2('evil.test')).toBe(403);
  expect(await overHttp2('localhost:4104')).toBe(200);
});

test('the payment API accepts any host name, because it requires a key', async () => {
  expect(await withHost('evil.test', 'GET', '/v2/customers')).toBe(401);
});
