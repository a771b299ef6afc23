import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { ApiError, createClient } from 'payment-orchestrator-client';
import { ROOT } from '../../tools/infra/paths.mjs';
import { pythonPrograms, runPython } from './python.js';

/** Which requests the clients repeat, against a server that fails as each test says. */

type Answer = readonly [status: number, retryAfter?: string] | 'broken' | 'silent';

interface Rule {
  /** How the server answers the attempts; then it accepts. */
  readonly answers: readonly Answer[];
  readonly attempts: number;
  readonly result: string;
}

/** The rules by the reference of the order, or the id of the merchant, that a client sends. */
const RULES: Readonly<Record<string, Rule>> = {
  'a request in progress': { answers: [[409, '0']], attempts: 2, result: 'ok' },
  'too many requests': {
    answers: [
      [429, '0'],
      [429, '0'],
    ],
    attempts: 3,
    result: 'ok',
  },
  'a service that is unavailable': { answers: [[503, '0'], [503]], attempts: 3, result: 'ok' },
  'a broken connection': { answers: ['broken', 'broken'], attempts: 3, result: 'ok' },
  'a timeout': { answers: ['silent'], attempts: 2, result: 'ok' },
  'a connection that breaks four times': {
    answers: ['broken', 'broken', 'broken', 'broken'],
    attempts: 4,
    result: 'no response',
  },
  'another conflict': { answers: [[409]], attempts: 1, result: '409 spec_code req_1' },
  'an invalid request': { answers: [[422]], attempts: 1, result: '422 spec_code req_1' },
  'a limit of the day': { answers: [[429, '3600']], attempts: 1, result: '429 spec_code req_1' },
  'change and a broken connection': { answers: ['broken'], attempts: 1, result: 'no response' },
  'change and too many requests': { answers: [[429, '0']], attempts: 2, result: 'ok' },
};

const NAMES = Object.keys(RULES);

interface Attempt {
  readonly name: string;
  readonly key: string | undefined;
}

let server: Server;
let attempts: Attempt[] = [];

const problemOf = (status: number) => ({
  type: 'urn:problem-type:spec_code',
  title: 'Spec',
  status,
  detail: 'as the spec says',
  code: 'spec_code',
  correlationId: 'req_1',
});

const answer = (response: ServerResponse, status: number, body: object, retryAfter?: string) => {
  response.writeHead(status, {
    'content-type': status < 400 ? 'application/json' : 'application/problem+json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  });
  response.end(JSON.stringify(body));
};

const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = (await json(request)) as { readonly reference?: string };
  const name = body.reference ?? decodeURIComponent(request.url?.split('/').at(-1) ?? '');
  const key = request.headers['idempotency-key'];
  const before = attempts.filter((one) => one.name === name).length;
  attempts.push({ name, key: typeof key === 'string' ? key : undefined });
  const wanted = RULES[name]?.answers[before];
  if (wanted === 'silent') return;
  if (wanted === 'broken') request.socket.destroy();
  else if (wanted === undefined) answer(response, 201, { id: 'ok' });
  else answer(response, wanted[0], problemOf(wanted[0]), wanted[1]);
};

beforeAll(async () => {
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  attempts = [];
});

const serverUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const inTypeScript = (): Promise<readonly string[]> => {
  const client = createClient({ baseUrl: serverUrl(), apiKey: 'key', timeoutMs: 1_000 });
  const order = {
    merchantId: 'm1',
    amountMinor: 1_250,
    currency: 'eur',
    capture: { policy: 'automatic' },
  } as const;
  return Promise.all(
    NAMES.map(async (reference) => {
      try {
        const { id } = reference.startsWith('change')
          ? await client.changeMerchant({ id: reference, details: {} })
          : await client.placeOrder({ ...order, reference });
        return id;
      } catch (error) {
        if (!(error instanceof ApiError)) return 'no response';
        return `${error.status} ${error.code} ${error.requestId}`;
      }
    }),
  );
};

const inPython = async (): Promise<readonly string[]> => {
  const program = join(import.meta.dirname, 'programs', 'retries.py');
  const env = { API_URL: serverUrl(), PYTHONPATH: join(ROOT, 'clients', 'python') };
  const lines: string[] = [];
  const bin = await pythonPrograms();
  await runPython(bin, [program, ...NAMES], env, (line) => lines.push(line));
  return JSON.parse(lines.join('')) as string[];
};

test.each([
  ['TypeScript', inTypeScript],
  ['Python', inPython],
])(
  'the client in %s repeats only what is safe to repeat, with the same Idempotency-Key',
  async (_, run) => {
    const results = await run();
    const seen = NAMES.map((name, at) => {
      const own = attempts.filter((one) => one.name === name);
      return [name, { attempts: own.length, result: results[at] }];
    });
    const expected = Object.entries(RULES).map(([name, { attempts: count, result }]) => [
      name,
      { attempts: count, result },
    ]);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
    const keys = NAMES.filter((name) => !name.startsWith('change')).map((name) => {
      const own = new Set(attempts.filter((one) => one.name === name).map(({ key }) => key));
      expect([name, own.size]).toEqual([name, 1]);
      return [...own][0];
    });
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain(undefined);
  },
  300_000,
);
