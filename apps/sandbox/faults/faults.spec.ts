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

/** Creates an intent; the status, the broken text, or null when the connection ended. */
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
  ['drop_before', 0], ['reset', 0], ['drop_after', 1], ['half_answer', 1],
])('%s: no whole answer, and %i intents made', async (kind, made) => {
  await arm(kind);
  expect(await create(kind)).toBeNull();
  expect(await madeFor(kind)).toBe(made);
  expect(await create(`${kind}-next`)).toMatchObject({ status: 200 });
});

test.each([
  ['status_500', 500, /^{"error":/], ['status_429', 429, /^{"error":/],
  ['status_502_html', 502, /^<html>/],
])('%s comes instead, and nothing is made', async (kind, status, text) => {
  await arm(kind);
  const answer = await create(kind);
  expect(answer).toMatchObject({ status, text: expect.stringMatching(text) as unknown });
  expect(await madeFor(kind)).toBe(0);
});

test('delay only waits', async () => {
  await arm('delay', { delay_ms: 150 });
  const begun = Date.now();
  expect(await create('delayed')).toMatchObject({ status: 200 });
  expect(Date.now() - begun).toBeGreaterThanOrEqual(145);
});

test('a fault meets so many calls of its route, however the route is written', async () => {
  await sandbox.call('POST', '/sandbox/faults', {
    route: 'POST /v2/payment_intent/{pi_id}/capture/', kind: 'status_500', count: 2,
  });
  expect(await create('other route')).toMatchObject({ status: 200 });
  const path = '/v2/payment_intents/pi_aaaaaaaaaaaaaaaaaaaaaaaa/capture';
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await sandbox.call('POST', path)).status);
  expect(statuses).toEqual([500, 500, 404]);
});

test('what is no fault is refused', async () => {
  for (const body of [{}, { route: CREATE }, { route: CREATE, kind: 'magic' }, { kind: 'reset' }]) {
    expect((await sandbox.call('POST', '/sandbox/faults', body)).status).toBe(422);
  }
});

test('without control there is neither a clock to move nor a fault to make', async () => {
  const closed = await startHarness({ control: false });
  for (const path of ['/sandbox/clock', '/sandbox/faults', '/sandbox/clock/followers']) {
    expect((await closed.call('POST', path, { advance: 'P1D' })).status).toBe(404);
  }
  expect((await closed.call('GET', '/sandbox/test-values')).status).toBe(200);
  await closed.stop();
});
