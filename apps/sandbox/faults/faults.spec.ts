import { basic, type Harness, startHarness, TEST_KEY } from '../testing/harness.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());
afterEach(() => sandbox.call('DELETE', '/sandbox/faults'));

const CREATE = 'POST /v2/payment_intents';
const arm = (kind: string, more: object = {}) =>
  sandbox.call('POST', '/sandbox/faults', { route: CREATE, kind, ...more });

/**
 * Creates an intent. Returns the response's status; the received part of the body if the body is
 * incomplete; or null if the connection was closed without a response.
 */
const create = async (orderId: string) => {
  try {
    const response = await fetch(`${sandbox.url}/v2/payment_intents/`, {
      method: 'POST',
      headers: { authorization: basic(TEST_KEY), 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 5, order_id: orderId }),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
};
const madeFor = async (orderId: string): Promise<number> => {
  const { body } = await sandbox.call('GET', `/v2/payment_intents?order_id=${orderId}`);
  return (body['payment_intents'] as unknown as unknown[]).length;
};

test.each([
  ['drop_before', 0],
  ['reset', 0],
  ['drop_after', 1],
  ['half_answer', 1],
])(
  'with the fault %s the client gets no complete response, and %i intents are created',
  async (kind, made) => {
    await arm(kind);
    expect(await create(kind)).toBeNull();
    expect(await madeFor(kind)).toBe(made);
    expect(await create(`${kind}-next`)).toMatchObject({ status: 200 });
  },
);

test.each([
  ['status_500', 500, /^{"error":/],
  ['status_429', 429, /^{"error":/],
  ['status_502_html', 502, /^<html>/],
])('with the fault %s no intent is created', async (kind, status, text) => {
  await arm(kind);
  const answer = await create(kind);
  expect(answer).toMatchObject({ status, text: expect.stringMatching(text) as unknown });
  expect(await madeFor(kind)).toBe(0);
});

test('with a delay fault, a call is executed after the delay', async () => {
  await arm('delay', { delay_ms: 150 });
  const begun = Date.now();
  expect(await create('delayed')).toMatchObject({ status: 200 });
  expect(Date.now() - begun).toBeGreaterThanOrEqual(145);
});

test('with the fault late_list, a list shows an object only twelve hours after its creation', async () => {
  await create('late');
  const ids = async () => {
    const { body } = await sandbox.call('GET', '/v2/payment_intents?order_id=late');
    const listed = body['payment_intents'] as unknown as readonly { readonly order_id: string }[];
    return listed.map((intent) => intent.order_id);
  };
  await arm('late_list', { route: 'GET /v2/payment_intents', count: 2 });
  expect(await ids()).toEqual([]);
  await sandbox.call('POST', '/sandbox/clock', { advance: 'PT12H1S' });
  expect(await ids()).toEqual(['late']);
  await create('late');
  expect(await ids()).toEqual(['late', 'late']);
});

test('with the fault late_list, the pages and their ranges are those of the list without the newest objects', async () => {
  for (let made = 0; made < 3; made += 1) await create('page');
  await sandbox.call('POST', '/sandbox/clock', { advance: 'PT12H1S' });
  for (let made = 0; made < 12; made += 1) await create('page');
  await arm('late_list', { route: 'GET /v2/payment_intents', count: 2 });
  const range = async (query: string) =>
    (await sandbox.call('GET', `/v2/payment_intents?order_id=page&${query}`)).body['range'];
  expect(await range('limit=10')).toMatchObject({ count: 3, has_more: false });
  expect(await range('start=1&limit=1')).toMatchObject({ count: 1, has_more: true });
  expect(await range('limit=10')).toMatchObject({ count: 10, has_more: true });
});

test('a fault applies to `count` calls of its route, for any spelling of the route', async () => {
  await sandbox.call('POST', '/sandbox/faults', {
    route: 'POST /v2/payment_intent/{pi_id}/capture/',
    kind: 'status_500',
    count: 2,
  });
  expect(await create('other route')).toMatchObject({ status: 200 });
  const path = '/v2/payment_intents/pi_aaaaaaaaaaaaaaaaaaaaaaaa/capture';
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await sandbox.call('POST', path)).status);
  expect(statuses).toEqual([500, 500, 404]);
});

test('an invalid fault is rejected', async () => {
  for (const body of [{}, { route: CREATE }, { route: CREATE, kind: 'magic' }, { kind: 'reset' }]) {
    expect((await sandbox.call('POST', '/sandbox/faults', body)).status).toBe(422);
  }
});

const listed = async () =>
  (await sandbox.call('GET', '/sandbox/faults')).body['faults'] as unknown as Readonly<
    Record<string, unknown>
  >[];

/**
 * Makes `calls` calls under a fault with this seed; returns `x` for each call that the fault
 * affected.
 */
const pattern = async (seed: string, calls: number): Promise<string> => {
  await sandbox.call('DELETE', '/sandbox/faults');
  await arm('status_500', { rate: 0.5, seed });
  let met = '';
  for (let call = 0; call < calls; call += 1) {
    met += (await create(`${seed}-${call}`))?.status === 500 ? 'x' : '.';
  }
  return met;
};

test('a fault with a rate affects some calls until it is cleared, and the same seed selects the same calls', async () => {
  const first = await pattern('spring', 24);
  expect(await listed()).toEqual([
    expect.objectContaining({
      rate: 0.5,
      seed: 'spring',
      count: null,
      seen: 24,
      met: first.replaceAll('.', '').length,
    }),
  ]);
  expect(first).toMatch(/x/);
  expect(first).toMatch(/\./);
  expect(await pattern('spring', 24)).toBe(first);
  expect(await pattern('autumn', 24)).not.toBe(first);
});

test('a fault with a rate and a count ends when it has affected `count` calls', async () => {
  await arm('status_429', { rate: 0.5, count: 2, seed: 7 });
  const statuses = [];
  for (let call = 0; call < 20; call += 1) statuses.push((await create(`counted-${call}`))?.status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  expect(await listed()).toEqual([]);
});

test('a 429 fault has a Retry-After header', async () => {
  await arm('status_429');
  const answer = await sandbox.call('POST', '/v2/payment_intents', { amount: 5 });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
});

test('a fault for every call affects all API routes, but neither control routes nor pages', async () => {
  await sandbox.call('POST', '/sandbox/faults', { route: '*', kind: 'status_500', rate: 1 });
  expect((await sandbox.call('GET', '/v2/ping')).status).toBe(500);
  expect((await sandbox.call('GET', '/api/partners/currency')).status).toBe(500);
  expect((await sandbox.call('GET', '/sandbox/clock')).status).toBe(200);
  expect((await fetch(`${sandbox.url}/page-assets/base.css`)).status).toBe(200);
});

test('a fault can be cleared by its id, and the other faults stay', async () => {
  await arm('status_500');
  await sandbox.call('POST', '/sandbox/faults', { event: 'payment.*', kind: 'lose' });
  const [call, webhook] = await listed();
  expect([call?.['route'], webhook?.['event']]).toEqual([CREATE, 'payment.*']);
  const path = `/sandbox/faults/${String(call?.['id'])}`;
  expect((await sandbox.call('DELETE', path)).status).toBe(200);
  expect((await listed()).map((fault) => fault['id'])).toEqual([webhook?.['id']]);
  expect((await sandbox.call('DELETE', path)).status).toBe(404);
});

test.each([
  ['a fault of API calls with a kind for webhooks', { route: CREATE, kind: 'lose' }],
  ['a fault of webhooks with a kind for API calls', { event: '*', kind: 'reset' }],
  ['a fault of an event that is never sent', { event: 'payment.captured', kind: 'lose' }],
  ['a fault with both a route and an event', { route: CREATE, event: '*', kind: 'delay' }],
  ['a fault with a rate above 1', { route: CREATE, kind: 'reset', rate: 1.5 }],
  ['a fault with a count of 0', { route: CREATE, kind: 'reset', count: 0 }],
  ['a fault of a control route', { route: 'POST /sandbox/clock', kind: 'reset' }],
  ['a fault of a route that does not exist', { route: 'POST /v2/nothing', kind: 'reset' }],
  [
    'a fault of a method that the route does not have',
    { route: 'PUT /v2/payment_intents', kind: 'reset' },
  ],
  [
    'a fault of a path with a wildcard',
    { route: 'POST /v2/payment_intents/*/capture', kind: 'reset' },
  ],
])('%s is rejected and not stored', async (_, body) => {
  expect((await sandbox.call('POST', '/sandbox/faults', body)).status).toBe(422);
  expect(await listed()).toEqual([]);
});

test('the clock and fault routes return 404 when the control routes are disabled', async () => {
  const closed = await startHarness({ control: false });
  for (const path of ['/sandbox/clock', '/sandbox/faults', '/sandbox/clock/followers']) {
    expect((await closed.call('POST', path, { advance: 'P1D' })).status).toBe(404);
  }
  expect((await closed.call('GET', '/sandbox/test-values')).status).toBe(200);
  await closed.stop();
});
