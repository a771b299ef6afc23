import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { assert } from '#kernel';
import { developmentCertificate } from '#testing';
import { WebhookSender } from './webhook-sender.js';

const certificate = developmentCertificate();
const SECRET = 'ab'.repeat(32);

/** Makes one attempt to a receiver with this response; returns the outcome and its duration. */
const attemptAt = async (
  listener: RequestListener,
  { caFile = certificate.caFile as string | null, loopback = true } = {},
) => {
  const server = createServer(
    { cert: readFileSync(certificate.certFile), key: readFileSync(certificate.keyFile) },
    listener,
  );
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
  const sender = new WebhookSender(loopback, caFile, null);
  const begun = performance.now();
  const url = `https://localhost:${(server.address() as AddressInfo).port}/hook`;
  const outcome = await sender.send(url, '{}', SECRET);
  const tookMs = performance.now() - begun;
  await sender.close();
  server.closeAllConnections();
  server.close();
  return { outcome, tookMs };
};

test('a webhook attempt times out after 10 s, before or during the response', async () => {
  const silent = attemptAt(() => undefined);
  const endless = attemptAt((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 200);
    response.once('close', () => clearInterval(timer));
  });
  for (const { outcome, tookMs } of await Promise.all([silent, endless])) {
    expect(outcome).toEqual({ kind: 'error', error: 'timeout' });
    expect(tookMs).toBeGreaterThan(9_900);
    expect(tookMs).toBeLessThan(15_000);
  }
});

test('only the first bytes of a webhook response are read', async () => {
  const { outcome, tookMs } = await attemptAt((_request, response) => {
    response.writeHead(204).end();
  });
  expect(outcome).toEqual({ kind: 'http', status: 204, body: '' });
  expect(tookMs).toBeLessThan(6_000);
  const large = await attemptAt((_request, response) => {
    response.writeHead(200).end(Buffer.alloc(5_000_000));
  });
  assert(large.outcome.kind === 'http', 'the receiver has responded');
  expect(large.outcome.status).toBe(200);
  expect(large.outcome.body.length).toBeLessThan(500_000);
});

test('a webhook attempt fails on a certificate of an untrusted authority', async () => {
  const { outcome } = await attemptAt((_request, response) => response.end(), { caFile: null });
  expect(outcome).toMatchObject({
    kind: 'error',
    error: expect.stringMatching(/CERT|SIGNATURE/) as unknown,
  });
});

test('a webhook is sent to loopback only when configured', async () => {
  let calls = 0;
  const { outcome } = await attemptAt(
    (_request, response) => {
      calls += 1;
      response.end();
    },
    { loopback: false },
  );
  expect(outcome).toMatchObject({ kind: 'error', error: 'no_public_address' });
  expect(calls).toBe(0);
});

test.each(['http://localhost/hook', 'https://2130706433/hook', 'https://0x7f.1/', 'no address'])(
  'no webhook is sent to %s',
  async (url) => {
    const sender = new WebhookSender(false, null, null);
    expect(await sender.send(url, '{}', SECRET)).toMatchObject({ kind: 'error' });
    await sender.close();
  },
);
