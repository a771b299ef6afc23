import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ApiError, ConnectionFailed, createClient } from 'payment-orchestrator-client';
import { ROOT } from '../../tools/infra/paths.mjs';
import { pythonPrograms, runPython } from './python.js';
import { RULES, sendHugeJson } from './retry-rules.js';

/**
 * Tests which requests the clients repeat. The server fails as each rule in retry-rules.ts says.
 */

/**
 * The time limit of a request. It is long, because the server may take a second to respond on a
 * busy machine.
 */
const TIMEOUT_MS = 5_000;

const NAMES = Object.keys(RULES);
/** The rule whose request has an empty Idempotency-Key, which the API rejects. */
const EMPTY_KEY = 'an empty key';
const hasKey = (name: string): boolean => !/^(?:change|delete|list)/.test(name);

/** The response that a client receives, or the Idempotency-Key and the message of its error. */
type Outcome = readonly [result: string, key: string | null, text?: string];

interface Attempt {
  readonly name: string;
  readonly key: string | undefined;
}

let server: Server;
let attempts: Attempt[] = [];

const FIELD_ERRORS = [
  { code: 'min', detail: 'amountMinor must not be less than 1', pointer: '#/amountMinor' },
  { detail: 'is missing or malformed', parameter: 'Idempotency-Key' },
];

const problemOf = (status: number) => ({
  type: 'urn:problem-type:spec_code',
  title: 'Spec',
  status,
  detail: 'as the spec says',
  code: 'spec_code',
  correlationId: 'req_1',
  ...(status === 422 && { errors: FIELD_ERRORS }),
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
  const url = new URL(request.url ?? '', serverUrl());
  const last = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  const name = body.reference ?? url.searchParams.get('reference') ?? last;
  const key = request.headers['idempotency-key'];
  const before = attempts.filter((one) => one.name === name).length;
  attempts.push({ name, key: typeof key === 'string' ? key : undefined });
  const wanted = RULES[name]?.answers[before];
  if (wanted === 'silent') return;
  if (wanted === 'broken') request.socket.destroy();
  else if (wanted === undefined) answer(response, 201, { id: 'ok', items: [], nextCursor: null });
  else if (wanted === 'huge') await sendHugeJson(response);
  else if ('type' in wanted) {
    const { status, type, headers, body: sent } = wanted;
    response.writeHead(status, { 'content-type': type, ...headers }).end(sent);
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
  const send = async (name: string): Promise<{ readonly id: string }> => {
    if (name.startsWith('list')) {
      for await (const { items } of client.listOrders({ reference: name }).pages()) void items;
      return { id: 'ok' };
    }
    if (name.startsWith('change')) return client.changeMerchant({ id: name, details: {} });
    if (name.startsWith('delete')) return client.deleteWebhookEndpoint({ id: name });
    const options = name === EMPTY_KEY ? { idempotencyKey: '' } : {};
    return client.placeOrder({ ...order, reference: name }, options);
  };
  return Promise.all(
    NAMES.map(async (name): Promise<Outcome> => {
      try {
        return [(await send(name)).id, null];
      } catch (error) {
        if (error instanceof ConnectionFailed) return ['no response', error.idempotencyKey];
        if (!(error instanceof ApiError)) throw error;
        const result = `${error.status} ${error.code} ${error.requestId}`;
        return [result, error.idempotencyKey, error.message];
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
  'the client in %s repeats only requests that are safe to repeat, keeps their Idempotency-Key, and names the key in its errors',
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
    expect(attempts.find((one) => one.name === EMPTY_KEY)?.key).toBe('');
    const textOf = (name: string) => outcomes[NAMES.indexOf(name)]?.[2];
    expect(textOf('another conflict')).toBe('as the spec says');
    expect(textOf('an invalid request')).toBe(
      'as the spec says (#/amountMinor: amountMinor must not be less than 1; ' +
        'Idempotency-Key: is missing or malformed)',
    );
  },
  300_000,
);
