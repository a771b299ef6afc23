import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ApiError, ConnectionFailed, createClient } from 'payment-orchestrator-client';
import { ROOT } from '../../tools/infra/paths.mjs';
import { pythonPrograms, runPython } from './python.js';

/** Which requests the clients repeat, against a server that fails as each test says. */

/** An answer of a proxy, which is not a problem. */
interface OfProxy {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

type Answer = readonly [status: number, retryAfter?: string] | OfProxy | 'broken' | 'silent';

const ofProxy = (status: number, type = 'text/html', body = '<h1>Bad</h1>'): OfProxy => ({
  status,
  type,
  body,
});

interface Rule {
  /** How the server answers the attempts; then it accepts. */
  readonly answers: readonly Answer[];
  readonly attempts: number;
  readonly result: string;
}

/**
 * The rules by what a client sends: the reference of an order, the id of the merchant to change, or
 * that of the webhook endpoint to delete.
 */
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
  'a proxy that reaches no service': {
    answers: [ofProxy(502), ofProxy(504)],
    attempts: 3,
    result: 'ok',
  },
  'a proxy that reaches no service four times': {
    answers: [ofProxy(502), ofProxy(504), ofProxy(502), ofProxy(504)],
    attempts: 4,
    result: '504 unknown null',
  },
  'a proxy that says nothing': {
    answers: Array.from({ length: 4 }, () => ofProxy(504, 'application/json', '')),
    attempts: 4,
    result: '504 unknown null',
  },
  'a proxy that says JSON and sends none': {
    answers: [ofProxy(500, 'application/json', '<h1>Bad</h1>')],
    attempts: 1,
    result: '500 unknown null',
  },
  'a provider that rejects': { answers: [[502]], attempts: 1, result: '502 spec_code req_1' },
  'another conflict': { answers: [[409]], attempts: 1, result: '409 spec_code req_1' },
  'an invalid request': { answers: [[422]], attempts: 1, result: '422 spec_code req_1' },
  'a limit of the day': { answers: [[429, '3600']], attempts: 1, result: '429 spec_code req_1' },
  'change and a broken connection': { answers: ['broken'], attempts: 1, result: 'no response' },
  'change and too many requests': { answers: [[429, '0']], attempts: 2, result: 'ok' },
  'change and a proxy': { answers: [ofProxy(504)], attempts: 1, result: '504 unknown null' },
  'delete and a broken connection': { answers: ['broken'], attempts: 1, result: 'no response' },
  'delete and a proxy': { answers: [ofProxy(502)], attempts: 1, result: '502 unknown null' },
  'delete and too many requests': { answers: [[429, '0']], attempts: 2, result: 'ok' },
};

/** Long, because on a busy machine the server may take a second to respond. */
const TIMEOUT_MS = 5_000;

const NAMES = Object.keys(RULES);
const hasKey = (name: string): boolean => !/^(?:change|delete)/.test(name);

/** What a client gets, and the key that its error names. */
type Outcome = readonly [result: string, key: string | null];

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
  const body = JSON.parse((await text(request)) || '{}') as { readonly reference?: string };
  const name = body.reference ?? decodeURIComponent(request.url?.split('/').at(-1) ?? '');
  const key = request.headers['idempotency-key'];
  const before = attempts.filter((one) => one.name === name).length;
  attempts.push({ name, key: typeof key === 'string' ? key : undefined });
  const wanted = RULES[name]?.answers[before];
  if (wanted === 'silent') return;
  if (wanted === 'broken') request.socket.destroy();
  else if (wanted === undefined) answer(response, 201, { id: 'ok' });
  else if ('type' in wanted) {
    response.writeHead(wanted.status, { 'content-type': wanted.type }).end(wanted.body);
  } else answer(response, wanted[0], problemOf(wanted[0]), wanted[1]);
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

const inTypeScript = (): Promise<readonly Outcome[]> => {
  const client = createClient({ baseUrl: serverUrl(), apiKey: 'key', timeoutMs: TIMEOUT_MS });
  const order = {
    merchantId: 'm1',
    amountMinor: 1_250,
    currency: 'eur',
    capture: { policy: 'automatic' },
  } as const;
  const send = (name: string) => {
    if (name.startsWith('change')) return client.changeMerchant({ id: name, details: {} });
    if (name.startsWith('delete')) return client.deleteWebhookEndpoint({ id: name });
    return client.placeOrder({ ...order, reference: name });
  };
  return Promise.all(
    NAMES.map(async (name): Promise<Outcome> => {
      try {
        return [(await send(name)).id, null];
      } catch (error) {
        if (error instanceof ConnectionFailed) return ['no response', error.idempotencyKey];
        if (!(error instanceof ApiError)) throw error;
        return [`${error.status} ${error.code} ${error.requestId}`, error.idempotencyKey];
      }
    }),
  );
};

const inPython = async (): Promise<readonly Outcome[]> => {
  const program = join(import.meta.dirname, 'programs', 'retries.py');
  const env = {
    API_URL: serverUrl(),
    TIMEOUT_SECONDS: String(TIMEOUT_MS / 1_000),
    PYTHONPATH: join(ROOT, 'clients', 'python'),
  };
  const lines: string[] = [];
  const bin = await pythonPrograms();
  await runPython(bin, [program, ...NAMES], env, (line) => lines.push(line));
  return JSON.parse(lines.join('')) as Outcome[];
};

test.each([
  ['TypeScript', inTypeScript],
  ['Python', inPython],
])(
  'the client in %s repeats only what is safe to repeat, with the same Idempotency-Key, which its errors name',
  async (_, run) => {
    const outcomes = await run();
    const seen = NAMES.map((name, at) => {
      const own = attempts.filter((one) => one.name === name);
      return [name, { attempts: own.length, result: outcomes[at]?.[0] }];
    });
    const expected = Object.entries(RULES).map(([name, { attempts: count, result }]) => [
      name,
      { attempts: count, result },
    ]);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
    const keys = NAMES.filter(hasKey).map((name) => {
      const own = new Set(attempts.filter((one) => one.name === name).map(({ key }) => key));
      expect([name, own.size]).toEqual([name, 1]);
      return [...own][0];
    });
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain(undefined);
    const named = NAMES.map((name, at) => [name, outcomes[at]?.[1]]);
    const sent = NAMES.map((name) => {
      const isError = RULES[name]?.result !== 'ok' && hasKey(name);
      return [name, isError ? attempts.find((one) => one.name === name)?.key : null];
    });
    expect(named).toEqual(sent);
  },
  300_000,
);
