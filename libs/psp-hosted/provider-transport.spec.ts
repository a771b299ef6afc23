import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import {
  json,
  MisbehavingServer,
  raw,
  reset,
  resetMidBody,
  silence,
  stall,
} from './misbehaving-server.fixture.js';
import { PaymentClient } from './payment-client.js';
import { isProviderError, type ProviderError, ProviderRejected, wholeCapture } from '#psp';
import { ProviderTransport } from './provider-transport.js';
import type { TransportLimits } from './transport-limits.js';

const KEY = 'stest_canaryKey0123456789';
const WHOLE = wholeCapture('cap_1');
const ID = 'pi_abcdefghijklmnopqrstuvwx';
const INTENT = {
  id: ID,
  status: 'authorized',
  amount: 1_000,
  currency: 'eur',
  url: 'https://page/pi',
  created_at: 1_772_366_400,
};
const HTML = '<html><body>Bad gateway, customer jane@example.org</body></html>';
const AS_HTML = { 'content-type': 'text/html' };
const AS_JSON = { 'content-type': 'application/json' };

const LIMITS: Partial<TransportLimits> = {
  connectTimeoutMs: 5_000,
  answerTimeoutMs: 10_000,
  exchangeTimeoutMs: 10_000,
  readTimeoutMs: 15_000,
  maxAnswerBytes: 10_000,
  breakerFailures: 1_000,
};
/**
 * Short time limits for responses that never arrive, but long enough for a busy machine to send the
 * request.
 */
const IMPATIENT: Partial<TransportLimits> = { exchangeTimeoutMs: 500 };

let server: MisbehavingServer;
let transports: ProviderTransport[] = [];

const clientOf = (limits: Partial<TransportLimits> = {}, url = server.url): PaymentClient => {
  const transport = new ProviderTransport(url, { ...LIMITS, ...limits });
  transports.push(transport);
  return new PaymentClient(transport, KEY);
};

const errorOf = async (call: Promise<unknown>): Promise<ProviderError> => {
  const error: unknown = await call.then(
    () => 'it succeeded',
    (reason: unknown) => reason,
  );
  if (!isProviderError(error)) throw new Error(`expected a ProviderError, got ${inspect(error)}`);
  return error;
};

/** The kind and the reason of the failure, e.g. `unavailable server_error`. */
const failureOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await errorOf(call);
  return 'reason' in error ? `${error.kind} ${error.reason}` : error.kind;
};

const create = (client: PaymentClient): Promise<unknown> =>
  client.createIntent({
    reference: 'pay_1',
    amountMinor: 1_000,
    currency: 'eur',
    methods: ['card'],
    description: null,
    returnUrl: null,
  });

beforeAll(async () => {
  server = await MisbehavingServer.start();
});
afterEach(async () => {
  await Promise.all(transports.map((transport) => transport.close()));
  transports = [];
});
afterAll(() => server.stop());

describe('a request to which the provider does not respond correctly', () => {
  const failures = [
    ['never responds', silence, 'timeout'],
    ['stops within its response', stall, 'timeout'],
    ['closes the connection', reset, 'connection_lost'],
    ['closes the connection within its response', resetMidBody, 'connection_lost'],
    ['responds with 500', json(500, { error: 'oops' }), 'server_error'],
    ['responds with HTML and 502', raw(502, HTML, AS_HTML), 'server_error'],
    ['responds with 503 and Retry-After', json(503, {}, { 'retry-after': '5' }), 'server_error'],
    ['responds with 408', json(408, { error: 'slow' }), 'timeout'],
    ['responds with HTML and 200', raw(200, HTML, AS_HTML), 'unreadable_answer'],
    ['responds with HTML and 404', raw(404, HTML, AS_HTML), 'unreadable_answer'],
    [
      'responds with 404 and JSON that is not the provider’s',
      json(404, { message: 'no route' }),
      'unreadable_answer',
    ],
    ['redirects', raw(302, '', { location: 'https://elsewhere.example/' }), 'unreadable_answer'],
    ['responds with half of its JSON', raw(200, '{"id":"pi_', AS_JSON), 'unreadable_answer'],
    [
      'responds with JSON of another shape',
      json(200, { ...INTENT, amount: '10' }),
      'unreadable_answer',
    ],
    ['responds with a list', json(200, [INTENT]), 'unreadable_answer'],
    [
      'responds with bytes that are not UTF-8',
      raw(200, Buffer.from([0x22, 0xff, 0x22]), AS_JSON),
      'unreadable_answer',
    ],
    ['responds with 204', raw(204, '', {}), 'unreadable_answer'],
    [
      'responds with more than the size limit',
      json(200, { ...INTENT, x: 'x'.repeat(20_000) }),
      'oversized_answer',
    ],
  ] as const;

  test.each(failures)(
    'is not sent again and has an unknown result, if the request is a write and the provider %s',
    async (_what, behaviour, reason) => {
      server.always(behaviour);
      const client = clientOf(IMPATIENT);
      expect(await failureOf(create(client))).toBe(`unknown_outcome ${reason}`);
      expect(server.requests).toHaveLength(1);
      server.always(behaviour);
      expect(await failureOf(client.cancelIntent(ID))).toBe(`unknown_outcome ${reason}`);
      expect(await failureOf(client.captureIntent(ID, WHOLE))).toBe(`unknown_outcome ${reason}`);
      expect(server.requests.map(({ method }) => method)).toEqual(['DELETE', 'POST']);
    },
  );

  test.each(failures)(
    'fails as unavailable, if the request is a read and the provider %s',
    async (_what, behaviour, reason) => {
      server.always(behaviour);
      expect(await failureOf(clientOf(IMPATIENT).getIntent(ID))).toBe(`unavailable ${reason}`);
      const isTransient = !['unreadable_answer', 'oversized_answer'].includes(reason);
      expect(server.requests).toHaveLength(isTransient ? 3 : 1);
    },
  );

  test('fails if the response is about an object that was not requested', async () => {
    server.always(json(200, { ...INTENT, id: 'pi_another' }));
    expect(await failureOf(clientOf().captureIntent(ID, WHOLE))).toBe(
      'unknown_outcome unreadable_answer',
    );
    expect(await failureOf(clientOf().getIntent(ID))).toBe('unavailable unreadable_answer');
  });
});

describe('a request that was never sent', () => {
  const closedPort = async (): Promise<number> => {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    await new Promise((resolve) => listener.close(resolve));
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  test('fails as unavailable if the connection was refused, whether it reads or writes', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const error = await errorOf(create(clientOf({}, url)));
    expect(error).toMatchObject({
      kind: 'unavailable',
      reason: 'unreachable',
      failure: { detail: 'ECONNREFUSED' },
    });
    expect(await failureOf(clientOf({}, url).getIntent(ID))).toBe('unavailable unreachable');
  });

  test('fails as unavailable if the host is unknown', async () => {
    const client = clientOf({}, 'http://provider.invalid');
    expect(await failureOf(create(client))).toBe('unavailable unreachable');
  });

  test('fails as unavailable if the server accepts the connection but does not speak TLS', async () => {
    const client = clientOf({}, server.url.replace('http:', 'https:'));
    expect(await failureOf(create(client))).toBe('unavailable unreachable');
  });

  test('fails as unavailable while the circuit breaker is open: from the third failure until the provider responds again', async () => {
    const client = clientOf({ breakerFailures: 3, breakerRetryMs: 1_000 });
    server.always(json(500, { error: 'down' }));
    for (let count = 0; count < 3; count += 1) {
      expect(await failureOf(create(client))).toBe('unknown_outcome server_error');
    }
    expect(await failureOf(create(client))).toBe('unavailable circuit_open');
    expect(await failureOf(client.getIntent(ID))).toBe('unavailable circuit_open');
    expect(server.requests).toHaveLength(3);

    server.always(json(200, INTENT));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await expect(create(client)).resolves.toMatchObject({ intentId: ID });
  });
});

test('rejections and rate limits do not open the circuit breaker', async () => {
  const client = clientOf({ breakerFailures: 2 });
  server.always(json(409, { error: 'no' }));
  for (let count = 0; count < 5; count += 1) {
    expect(await failureOf(create(client))).toBe('rejected');
  }
  server.always(json(429, {}));
  for (let count = 0; count < 5; count += 1) {
    expect(await failureOf(create(client))).toBe('rate_limited');
  }
});

test.each([
  ['rejection', 'rejected', json(409, { error: 'no' })],
  ['rate limit', 'rate_limited', json(429, {})],
])('a %s ends the sequence of failures that opens the circuit breaker', async (_, kind, answer) => {
  const client = clientOf({ breakerFailures: 2, readRepeats: 0 });
  const fault = json(500, { error: 'down' });
  for (const call of [() => create(client), () => client.getIntent(ID)]) {
    for (let count = 0; count < 3; count += 1) {
      server.always(fault);
      expect(await failureOf(call())).toMatch(/ server_error$/);
      server.always(answer);
      expect(await failureOf(call())).toBe(kind);
    }
  }
  server.always(fault);
  expect(await failureOf(create(client))).toBe('unknown_outcome server_error');
  expect(await failureOf(create(client))).toBe('unknown_outcome server_error');
  expect(await failureOf(create(client))).toBe('unavailable circuit_open');
});

describe('a refusal by the provider', () => {
  test.each([
    [
      404,
      { error: `Payment intent \`${ID}\` not found` },
      null,
      `Payment intent \`${ID}\` not found`,
    ],
    [409, { error: 'already captured' }, null, 'already captured'],
    [
      400,
      { error: { type: 'invalid_request_error', message: 'no' } },
      'invalid_request_error',
      'no',
    ],
    [
      422,
      { detail: [{ loc: ['body', 'amount'], msg: 'too small', type: 'value_error' }] },
      'value_error',
      'body.amount: too small',
    ],
    [413, { error: 'jane@example.org is too big' }, null, '[redacted] is too big'],
    [422, { error: 'iban FR76 3000 6000 0112 3456 7890 189 is closed' }, null, 'iban [redacted]'],
    [422, { error: 'no answer at +33 6 12 34 56 78' }, null, 'no answer at +[redacted]'],
    [422, { error: 'not 4111 1111 1111 1111' }, null, 'not ***************1111'],
    [422, { error: 'stest_abcd1234 may not' }, null, '[redacted] may not'],
    [
      422,
      { detail: [{ loc: ['body', 'a'], msg: `${'x'.repeat(280)} FR7630006000011234567890189` }] },
      null,
      expect.not.stringContaining('FR76'),
    ],
    [400, { error: { type: 'odd\0', message: 'no \ud800' } }, 'odd\u{FFFD}', 'no \u{FFFD}'],
    [
      422,
      { detail: [{ loc: ['body', 'a'], msg: '\0', type: '\0' }] },
      '\u{FFFD}',
      'body.a: \u{FFFD}',
    ],
  ])(
    'with %i is final, and contains the provider’s message',
    async (status, body, code, providerMessage) => {
      server.always(json(status, body));
      const error = await errorOf(create(clientOf()));
      expect(error).toBeInstanceOf(ProviderRejected);
      expect(error).toMatchObject({ status, code, providerMessage });
      expect(await failureOf(clientOf().getIntent(ID))).toBe('rejected');
      expect(server.requests).toHaveLength(2);
    },
  );

  test.each([401, 403])(
    'with %i means that the API key is invalid, whatever the body contains',
    async (status) => {
      server.always(raw(status, HTML, AS_HTML));
      expect(await errorOf(create(clientOf()))).toMatchObject({ kind: 'unauthorized', status });
    },
  );

  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '999999' }, 3_600_000],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('with 429 and the headers %j has a `retryAfterMs` of %p', async (headers, retryAfterMs) => {
    server.always(raw(429, 'slow down', headers as Record<string, string>));
    const error = await errorOf(clientOf().getIntent(ID));
    expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs });
    expect(server.requests).toHaveLength(1);
  });

  test('with 429 and a date in Retry-After is a rate limit until that date', async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    server.always(raw(429, '', { 'retry-after': date }));
    const error = await errorOf(create(clientOf()));
    const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : null;
    expect(retryAfterMs).toBeGreaterThan(27_000);
    expect(retryAfterMs).toBeLessThanOrEqual(30_000);
  });
});

describe('a healthy provider', () => {
  test('receives HTTP Basic with the key as the user name, over persistent connections', async () => {
    server.always(json(200, INTENT));
    const before = server.connections;
    const client = clientOf();
    for (let count = 0; count < 20; count += 1) await client.getIntent(ID);
    // The client waits a moment before it reuses a connection, so the second request may open a
    // second connection.
    expect(server.connections - before).toBeLessThanOrEqual(2);
    const authorization = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`;
    expect(server.requests[0]?.headers).toMatchObject({ authorization });
  });

  test('receives a read again after a transient failure of the read', async () => {
    server.always(json(200, INTENT));
    server.first(json(500, {}), reset);
    await expect(clientOf().getIntent(ID)).resolves.toMatchObject({ status: 'authorized' });
    expect(server.requests).toHaveLength(3);
  });

  test('receives no further repetition of a read after the read’s time limit', async () => {
    server.always(silence);
    // The first request leaves less time than the pause before a repetition. Without the time limit
    // of the read, the read would be repeated until the test times out. On a busy machine the time
    // may be used up while the client is connecting; the reason is then `unreachable`, and no
    // request arrives.
    const client = clientOf({ exchangeTimeoutMs: 950, readTimeoutMs: 1_000, readRepeats: 1_000 });
    expect(await failureOf(client.getIntent(ID))).toMatch(/^unavailable (timeout|unreachable)$/);
    expect(server.requests.length).toBeLessThanOrEqual(1);
  });

  test('receives other requests while a file is being sent', async () => {
    server.always(json(200, INTENT));
    const transport = new ProviderTransport(server.url, {
      ...LIMITS,
      connections: 1,
      fileConnections: 1,
    });
    transports.push(transport);
    const body = new Readable({ read: () => undefined });
    body.push('the beginning of a file');
    const upload = { contentType: 'application/pdf', body, brokenBy: () => null };
    const asIs = (answer: unknown): unknown => answer;
    const sending = transport.send(KEY, { method: 'POST', pathTemplate: '/file', upload }, asIs);
    await expect(
      transport.send(KEY, { method: 'GET', pathTemplate: '/intent' }, asIs),
    ).resolves.toEqual(INTENT);
    body.push(null);
    await expect(sending).resolves.toEqual(INTENT);
  });

  test('may have a path in its base URL', async () => {
    server.always(json(200, INTENT));
    await clientOf({}, `${server.url}/provider/`).getIntent(ID);
    expect(server.requests[0]?.url).toBe(`/provider/v2/payment_intents/${ID}`);
  });
});

test('no error contains an API key, an id, a body or a response', async () => {
  const secretBody = json(200, { secret: 'canary-answer', id: 'jane@example.org' });
  const behaviours = [secretBody, raw(502, HTML, AS_HTML), reset, json(401, {}), json(429, {})];
  for (const behaviour of behaviours) {
    server.always(behaviour);
    const client = clientOf({ readRepeats: 0 });
    const errors = [
      await errorOf(client.createWebhookEndpoint('https://canary-request.example/')),
      await errorOf(client.getIntent(ID)),
    ];
    const shown = inspect([errors, client], { depth: 10, showHidden: true });
    const text = shown + JSON.stringify(errors);
    expect(text).not.toMatch(/canary|jane|c3Rlc3Rf/);
    expect(errors[1]?.message).not.toContain(ID);
    expect(errors[1]?.message).toMatch(/^GET \/v2\/payment_intents\/\{id\}: .* after \d+ ms$/);
  }
});
