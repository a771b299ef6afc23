import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '#testing';
import { CARDS } from '../../tools/stack/payer.js';
import type { FaultKind } from '../../tools/stack/sandbox.js';
import { Flow } from '../support/flow.js';
import { brokenAtRest } from '../support/holds.js';

/**
 * Tests that no request is lost, and none is executed twice, when the provider is down, responds
 * incorrectly or does not respond.
 */

const CREATE = 'POST /v2/payment_intents';
const CAPTURE = 'POST /v2/payment_intents/{pi_id}/capture';
const CANCEL = 'DELETE /v2/payment_intents/{pi_id}';
const FIND = 'GET /v2/payment_intents';
const READ = 'GET /v2/payment_intents/{pi_id}';

let flow: Flow;
/** The id of an order whose intent the provider creates only after our request has timed out. */
let late: string;
const LATE_MS = 11_500;
/** The time after an order within which a faulty service would send a second creation request. */
const SETTLED_MS = LATE_MS + 3_000;
let lateSinceMs: number;

beforeAll(async () => {
  flow = await Flow.start();
  // One minute of business time takes one second of real time, because polls are minutes of
  // business time apart.
  await flow.stack.sandbox.setRate(60);
  await fault(CREATE, 'delay', 1, LATE_MS);
  late = await place();
  await waitFor(() => flow.haveAllFaultsHit());
  lateSinceMs = Date.now();
});
afterAll(() => flow.stop());

const fault = (route: string, kind: FaultKind, count = 1, delayMs = 1_000): Promise<void> =>
  flow.stack.sandbox.addFault({ route, kind, count, delayMs });

const place = async (): Promise<string> => (await flow.place()).id;

/**
 * Places an order that is paid and captured while the fault is active; expects exactly one intent,
 * captured once.
 */
const goesThrough = async (): Promise<void> => {
  const id = await place();
  const { payer, paymentId } = await flow.page(id);
  expect(await payer.pay(CARDS.plain)).toBe('confirm');
  await flow.orderIs(id, 'paid');
  expect(await flow.intents(paymentId)).toMatchObject([{ amount: 4_250 }]);
  expect(await flow.haveAllFaultsHit()).toBe(true);
};

/**
 * The request is not executed, executed without a response, or refused. All kinds of failures are
 * tested with the provider's client.
 */
const KINDS = ['drop_before', 'drop_after', 'status_429'] as const;

test.each(KINDS)(
  'the provider has exactly one intent for an order whose creation request failed with %s',
  async (kind) => {
    await fault(CREATE, kind);
    await goesThrough();
  },
);

test.each(KINDS)(
  'a payment is captured once when the capture request fails with %s',
  async (kind) => {
    await fault(CAPTURE, kind);
    await goesThrough();
  },
);

test.each(KINDS)(
  'a payment is canceled when the cancellation request fails with %s',
  async (kind) => {
    const id = await place();
    await flow.page(id);
    await fault(CANCEL, kind);
    await flow.platform.cancel(id);
    await flow.orderIs(id, 'canceled');
    expect(await flow.haveAllFaultsHit()).toBe(true);
  },
);

test('the result of a request is recorded as unknown when the provider does not respond', async () => {
  await fault(CREATE, 'drop_after');
  await fault(FIND, 'status_500', 12);
  const id = await place();
  await waitFor(async () => (await flow.types(id)).includes('RequestResultUnknown'));
  expect((await flow.read(id)).payment?.status).toBe('requested');
  await flow.stack.sandbox.clearFaults();
  await flow.page(id);
  expect(await flow.types(id)).toContain('RequestResultResolved');
});

test('orders are accepted while the provider is down, and their intents are created afterwards', async () => {
  for (const route of [CREATE, FIND, READ, CAPTURE]) await fault(route, 'drop_before', 1_000_000);
  const ids = await Promise.all([place(), place(), place()]);
  for (const id of ids) expect((await flow.read(id)).status).toBe('open');
  await sleep(2_000);
  await flow.stack.sandbox.clearFaults();
  for (const id of ids) {
    const { payer } = await flow.page(id);
    await payer.pay(CARDS.plain);
    await flow.orderIs(id, 'paid');
  }
});

test('no second intent is created when the provider executes the creation request after our timeout', async () => {
  const { paymentId } = await waitFor(() => flow.page(late), { timeoutMs: 40_000 });
  await sleep(Math.max(0, lateSinceMs + SETTLED_MS - Date.now()));
  expect(await flow.intents(paymentId)).toHaveLength(1);
});

test('all invariants hold at the end, after faults of the provider', async () => {
  await flow.stack.sandbox.clearFaults();
  expect(await brokenAtRest(flow)).toEqual([]);
});
