import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConnectionFailed, createClient } from 'payment-orchestrator-client';
import { FeedUnavailable, restFeed } from 'payment-orchestrator-subscriber';

/**
 * A server that never responds, while Node collects garbage again and again: a timer that only the
 * garbage collector can reach would never fire.
 */

const TIMEOUT_MS = 300;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let server: Server;
let collecting: NodeJS.Timeout;
let url = '';
beforeAll(async () => {
  server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  collecting = setInterval(collectGarbage, 50);
});
afterAll(() => {
  clearInterval(collecting);
  server.closeAllConnections();
  server.close();
});

const client = () =>
  createClient({ baseUrl: url, apiKey: 'key', timeoutMs: TIMEOUT_MS, maxAttempts: 1 });
const feed = () => restFeed({ url, apiKey: 'key', timeoutMs: TIMEOUT_MS });
const stream = { streamType: 'order', streamId: 'ord_1' } as const;

test('a request of the client fails when its time limit is over', async () => {
  const requests = Array.from({ length: 10 }, () => client().getOrder({ id: 'ord_1' }));
  for (const request of requests) await expect(request).rejects.toThrow(ConnectionFailed);
});

test('a read of the subscriber’s feed fails when its time limit is over', async () => {
  const { signal } = new AbortController();
  const reads = Array.from({ length: 10 }, () => feed().read(stream, 1, signal));
  for (const read of reads) await expect(read).rejects.toThrow(FeedUnavailable);
});

test('a read of the subscriber’s feed ends when its caller aborts it, even before it begins', async () => {
  const patient = restFeed({ url, apiKey: 'key', timeoutMs: 600_000 });
  const caller = new AbortController();
  const read = patient.read(stream, 1, caller.signal);
  caller.abort();
  await expect(read).rejects.toThrow(FeedUnavailable);
  await expect(patient.read(stream, 1, AbortSignal.abort())).rejects.toThrow(FeedUnavailable);
});
