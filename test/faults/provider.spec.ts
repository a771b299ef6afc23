import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '#testing';
import { CARDS } from '../../tools/stack/payer.js';
import type { FaultKind } from '../../tools/stack/sandbox.js';
import { Flow } from '../support/flow.js';
import { brokenAtRest } from '../support/holds.js';

/** A provider that is down, lies or falls silent: nothing is lost and nothing is done twice. */

const CREATE = 'POST /v2/payment_intents';
const CAPTURE = 'POST /v2/payment_intents/{pi_id}/capture';
const CANCEL = 'DELETE /v2/payment_intents/{pi_id}';
const FIND = 'GET /v2/payment_intents';
const READ = 'GET /v2/payment_intents/{pi_id}';

let flow: Flow;

beforeAll(async () => {
  flow = await Flow.start();
  // Business time widens the looks: a minute of it takes a second here.
  await flow.stack.sandbox.setRate(60);
}, 90_000);
afterAll(() => flow.stop(), 60_000);

const fault = (route: string, kind: FaultKind, count = 1, delayMs = 1_000): Promise<void> =>
  flow.stack.sandbox.addFault({ route, kind, count, delayMs });

const place = async (): Promise<string> => (await flow.place()).id;

/** Placed, paid and captured, whatever stands in the way; exactly one intent, captured once. */
const goesThrough = async (): Promise<void> => {
  const id = await place();
  const { payer, paymentId } = await flow.page(id);
  expect(await payer.pay(CARDS.plain)).toBe('confirm');
  await flow.orderIs(id, 'paid');
  expect(await flow.intents(paymentId)).toMatchObject([{ amount: 4_250 }]);
  expect(await flow.haveAllFaultsHit()).toBe(true);
};

const KINDS = [
  'status_500',
  'status_502_html',
  'half_answer',
  'drop_before',
  'drop_after',
  'reset',
  'status_429',
] as const;

test.each(KINDS)(
  '%s when the intent is created: it is made once',
  async (kind) => {
    await fault(CREATE, kind);
    await goesThrough();
  },
  60_000,
);

test.each(KINDS)(
  '%s when it is captured: it is captured once',
  async (kind) => {
    await fault(CAPTURE, kind);
    await goesThrough();
  },
  60_000,
);

test.each(KINDS)(
  '%s when it is canceled: it is canceled',
  async (kind) => {
    const id = await place();
    await flow.page(id);
    await fault(CANCEL, kind);
    await flow.platform.cancel(id);
    await flow.orderIs(id, 'canceled');
    expect(await flow.haveAllFaultsHit()).toBe(true);
  },
  60_000,
);

test('an answer that never comes leaves the outcome unknown, and is told', async () => {
  await fault(CREATE, 'drop_after');
  await fault(FIND, 'status_500', 12);
  const id = await place();
  await waitFor(async () => (await flow.types(id)).includes('OutcomeUnknown'));
  expect((await flow.read(id)).payment?.status).toBe('requested');
  await flow.stack.sandbox.clearFaults();
  await flow.page(id);
  expect(await flow.types(id)).toContain('OutcomeSettled');
}, 60_000);

test('a request carried out after we gave up on it makes no second intent', async () => {
  await fault(CREATE, 'delay', 1, 11_500);
  const id = await place();
  const { paymentId } = await waitFor(() => flow.page(id), { timeoutMs: 40_000 });
  await sleep(3_000);
  expect(await flow.intents(paymentId)).toHaveLength(1);
}, 90_000);

test('while the provider is down orders are accepted, and go through afterwards', async () => {
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
}, 90_000);

test('and in the end everything holds', async () => {
  await flow.stack.sandbox.clearFaults();
  expect(await brokenAtRest(flow)).toEqual([]);
}, 120_000);
