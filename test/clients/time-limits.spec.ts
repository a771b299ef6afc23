import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setInterval as everyMs } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConnectionFailed, createClient } from 'payment-orchestrator-client';
import { FeedUnavailable, restFeed } from 'payment-orchestrator-subscriber';
import { ROOT } from '../../tools/infra/paths.mjs';
import { pythonPrograms, runPython } from './python.js';

/**
 * Tests time limits against a server that never responds, or that sends single bytes slowly.
 * Garbage is collected all the time, because a timer without a reference would be deleted before it
 * fires.
 */

const TIMEOUT_MS = 300;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n';

/**
 * What the server sends to a request that changes a merchant, by the merchant's id: first a part at
 * once, then the rest byte by byte for several times the time limit.
 */
const SLOW: Readonly<Record<string, readonly [atOnce: string, slowly: string]>> = {
  'change-slow-headers': ['', `${HEAD}{"id":"ok"}`],
  'change-slow-body': [HEAD, '{"id":"ok","name":"as long as the headers of the other response"}'],
};
const BYTE_MS = 50;
/**
 * The time limit of a request. It is longer than the pauses between bytes, even on a busy machine.
 */
const SLOW_TIMEOUT_MS = 1_000;

const drip = async (socket: Socket, atOnce: string, slowly: string): Promise<void> => {
  socket.write(atOnce);
  const bytes = [...slowly].values();
  for await (const _ of everyMs(BYTE_MS)) {
    const { value, done } = bytes.next();
    if (done === true || socket.destroyed) break;
    socket.write(value);
  }
  socket.end();
};

let server: Server;
let url = '';
beforeAll(async () => {
  server = createServer((request) => {
    const slow = SLOW[request.url?.split('/').at(-1) ?? ''];
    // Unread bytes would reset the connection when the server closes it.
    request.resume();
    if (slow !== undefined) void drip(request.socket, ...slow);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const client = (timeoutMs = TIMEOUT_MS) =>
  createClient({ baseUrl: url, apiKey: 'key', timeoutMs, maxAttempts: 1 });
const feed = () => restFeed({ url, apiKey: 'key', timeoutMs: TIMEOUT_MS });
const stream = { streamType: 'order', streamId: 'ord_1' } as const;

const inTypeScript = async (names: readonly string[]): Promise<readonly unknown[]> =>
  Promise.all(
    names.map((id) =>
      client(SLOW_TIMEOUT_MS)
        .changeMerchant({ id, details: {} })
        .then(() => 'ok')
        .catch((error: unknown) => (error instanceof ConnectionFailed ? 'no response' : error)),
    ),
  );

const inPython = async (names: readonly string[]): Promise<readonly unknown[]> => {
  const program = join(import.meta.dirname, 'programs', 'retries.py');
  const env = {
    API_URL: url,
    TIMEOUT_SECONDS: String(SLOW_TIMEOUT_MS / 1_000),
    PYTHONPATH: join(ROOT, 'clients', 'python'),
  };
  const lines: string[] = [];
  const bin = await pythonPrograms();
  await runPython(bin, [program, ...names], env, (line) => lines.push(line));
  return (JSON.parse(lines.join('')) as readonly (readonly unknown[])[]).map(([result]) => result);
};

test.each([
  ['TypeScript', inTypeScript],
  ['Python', inPython],
])(
  'the time limit of the client in %s includes headers and a body that arrive byte by byte',
  async (_, run) => {
    const names = ['change-silent', ...Object.keys(SLOW)];
    expect(await run(names)).toEqual(names.map(() => 'no response'));
  },
);

describe('while garbage is collected', () => {
  let collecting: NodeJS.Timeout;
  beforeAll(() => {
    collecting = setInterval(collectGarbage, 50);
  });
  afterAll(() => clearInterval(collecting));

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
});
