import { readFileSync } from 'node:fs';
import { connect as connectHttp2, constants } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { mock } from 'node:test';
import { developmentCertificate } from '#testing';
import { basic, type Harness, startHarness, TEST_KEY } from '../testing/harness.js';

const { certFile, keyFile, caFile } = developmentCertificate();
const ca = readFileSync(caFile);
let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness({ tls: { port: 0, certFile, keyFile } });
});
afterAll(() => sandbox.stop());

const port = (): number => sandbox.http.tlsPort ?? 0;

test('an intent can be created over HTTP/2', async () => {
  const session = connectHttp2(`https://localhost:${port()}`, { ca });
  const stream = session.request({
    ':method': 'POST',
    ':path': '/v2/payment_intents/',
    'content-type': 'application/json',
    authorization: basic(TEST_KEY),
  });
  let status = 0;
  let text = '';
  stream.on('response', (headers) => (status = headers[':status'] ?? 0));
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  stream.end(JSON.stringify({ amount: 100 }));
  await new Promise((resolve) => stream.once('close', resolve));
  session.close();
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ amount: 100, status: 'require_payment_method' });
});

test('HTTP/1.1 is accepted on the same port as HTTP/2', async () => {
  const status = await new Promise((resolve, reject) => {
    const headers = { authorization: basic(TEST_KEY) };
    httpsRequest({ host: 'localhost', port: port(), path: '/v2/ping', ca, headers }, (response) => {
      response.resume();
      resolve(`${response.httpVersion} ${response.statusCode}`);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe('1.1 200');
});

test('an HTTP/2 request that does not arrive in time is aborted', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const session = connectHttp2(`https://localhost:${port()}`, { ca });
  const stream = session.request({
    ':method': 'POST',
    ':path': '/v2/payment_intents/',
    'content-type': 'application/json',
    authorization: basic(TEST_KEY),
  });
  let isClosed = false;
  stream
    .on('error', () => undefined)
    .once('close', () => (isClosed = true))
    .resume();
  stream.write('{');
  while (!isClosed) {
    mock.timers.tick(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  mock.timers.reset();
  session.destroy();
  expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
});

test.each([
  ['TLSv1.1', false],
  ['TLSv1.2', true],
  ['TLSv1.3', true],
] as const)(
  'TLS 1.2 and later versions are accepted, earlier versions are rejected: %s',
  async (version, accepted) => {
    const spoken = await new Promise((resolve) => {
      const socket = connectTls(
        {
          host: 'localhost',
          port: port(),
          ca,
          minVersion: version,
          maxVersion: version,
          ciphers: 'DEFAULT@SECLEVEL=0',
        },
        () => {
          resolve(true);
          socket.destroy();
        },
      );
      socket.once('error', () => resolve(false));
    });
    expect(spoken).toBe(accepted);
  },
);
