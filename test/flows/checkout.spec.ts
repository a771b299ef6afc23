import { EventStore, PostgresLog } from '#log';
import { UPCASTERS } from '#orchestrator';
import { specPool, waitFor } from '#testing';
import { Timeline } from '../../apps/admin/entities/timeline.js';
import { storyIn } from '../../apps/admin/story.fixture.js';
import { CARDS } from '../../tools/stack/payer.js';
import { countedByProcesses, countedFromLog } from '../support/business-counts.js';
import { Flow } from '../support/flow.js';

/**
 * Orders with every final status, on real servers; the payer acts over HTTP. This spec runs api and
 * worker as two apps; the other specs of this folder run them as one app.
 */

let flow: Flow;

beforeAll(async () => {
  flow = await Flow.start({ shape: 'apart' });
});
afterAll(() => flow.stop());
afterEach(() => flow.gate.setFate(() => 'through'));

const advance = (duration: string): Promise<void> => flow.stack.sandbox.advance(duration);
const countOf = (types: readonly string[], type: string): number =>
  types.filter((each) => each === type).length;

test('an order whose first card is refused is paid with a second card on the same intent', async () => {
  const { id } = await flow.place();
  const { payer, paymentId } = await flow.page(id);
  expect(await payer.pay(CARDS.insufficientFunds)).toBe('refused');
  await flow.platform.pageCompleted(paymentId);
  expect((await flow.read(id)).status).toBe('open');
  expect(await payer.pay(CARDS.threeDSecure)).toBe('confirm');
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'paid');
  const types = await flow.types(id);
  expect(countOf(types, 'AttemptRefused')).toBe(1);
  expect(countOf(types, 'OrderPaid')).toBe(1);
  expect(await flow.intents(paymentId)).toMatchObject([{ status: 'to_capture', amount: 4_250 }]);
});

test('an order under manual capture is not captured until the platform requests the capture', async () => {
  const { id } = await flow.place({ capture: { policy: 'manual' } });
  const { payer, paymentId } = await flow.page(id);
  await payer.pay(CARDS.plain);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'authorized');
  await advance('PT6H');
  expect(await flow.intents(paymentId)).toMatchObject([{ status: 'authorized' }]);
  expect((await flow.platform.capture(id)).status).toBe(202);
  await flow.orderIs(id, 'paid');
});

test('an uncaptured authorization causes a warning before it expires, and leaves the order unpaid when it has expired', async () => {
  const { id } = await flow.place({ capture: { policy: 'manual' } });
  const { payer, paymentId } = await flow.page(id);
  await payer.pay(CARDS.plain);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'authorized');
  await advance('P8D');
  await flow.orderIs(id, 'expired');
  expect(await flow.types(id)).toEqual(
    expect.arrayContaining(['AuthorizationExpiring', 'AuthorizationExpired', 'OrderExpired']),
  );
});

test('an order with delayed capture is captured when its delay has passed', async () => {
  const orders = [];
  for (const delay of ['PT1H', 'P3D', 'P6D']) {
    const { id } = await flow.place({ capture: { policy: 'delayed', delay } });
    const { payer, paymentId } = await flow.page(id);
    await payer.pay(CARDS.plain);
    await flow.platform.pageCompleted(paymentId);
    await flow.orderIs(id, 'authorized');
    orders.push(id);
  }
  await advance('P7D');
  for (const id of orders) {
    const order = await flow.read(id);
    expect(order.status).toBe('paid');
    expect(order.payment?.status).toMatch(/^captur/);
  }
});

test('the payment page of a canceled order accepts no card', async () => {
  const { id } = await flow.place();
  const { payer, paymentId } = await flow.page(id);
  expect((await flow.platform.cancel(id)).status).toBe(202);
  await flow.orderIs(id, 'canceled');
  expect(await flow.intents(paymentId)).toMatchObject([{ status: 'canceled' }]);
  expect(await payer.pay(CARDS.plain)).toBe('over');
});

test('the cancellation of an authorized order releases the authorization', async () => {
  const { id } = await flow.place({ capture: { policy: 'manual' } });
  const { payer, paymentId } = await flow.page(id);
  await payer.pay(CARDS.threeDSecure);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'authorized');
  await flow.platform.cancel(id);
  await flow.orderIs(id, 'canceled');
  expect(await flow.intents(paymentId)).toMatchObject([{ status: 'canceled' }]);
  expect((await flow.platform.capture(id)).status).toBe(409);
});

test('an open payment page accepts no card after the order has expired', async () => {
  const { id } = await flow.place({ expiresIn: 'PT30M' });
  const { payer, paymentId } = await flow.page(id);
  await advance('PT31M');
  await flow.orderIs(id, 'expired');
  expect(await payer.pay(CARDS.plain)).toBe('over');
  expect(await flow.intents(paymentId)).toMatchObject([{ status: 'canceled' }]);
});

test('an order whose payer pays just before the expiry job runs becomes paid once', async () => {
  const { id } = await flow.place({ expiresIn: 'PT30M' });
  const { payer, paymentId } = await flow.page(id);
  // All webhooks are lost, so the payment is found only because the worker reads the intent before
  // the worker cancels the expired order.
  flow.gate.setFate(() => 'lost');
  await payer.pay(CARDS.plain);
  await advance('PT31M');
  await flow.orderIs(id, 'paid');
  expect((await flow.read(id)).payment?.id).toBe(paymentId);
  expect(countOf(await flow.types(id), 'OrderPaid')).toBe(1);
  expect(await flow.intents(paymentId)).toHaveLength(1);
});

test('after the bank’s approval an order stays unauthorized until the provider shows the authorization', async () => {
  const { id } = await flow.place();
  const { payer, paymentId } = await flow.page(id);
  const outcome = await payer.card(CARDS.threeDSecure);
  if (outcome.next !== 'secure_auth') throw new Error(outcome.next);
  await payer.atBank(outcome.authSessionId, 'approve');
  await advance('PT1M');
  const order = await flow.orderIs(id, 'paid');
  expect(order.payment?.confirmation).toBe('unconfirmed');
  const capture = (await flow.timeline(id)).find(({ type }) => type === 'CaptureRequested');
  expect(capture?.data).toMatchObject({ requestedBy: 'policy', unconfirmed: true });
  await flow.platform.pageCompleted(paymentId);
  expect((await flow.read(id)).payment?.confirmation).toBe('confirmed');
});

test('polling finds every payment status when all webhooks are lost', async () => {
  flow.gate.setFate(() => 'lost');
  const lostBefore = flow.gate.count.lost;
  const { id } = await flow.place();
  const { payer } = await flow.page(id);
  await payer.pay(CARDS.plain);
  await advance('PT2M');
  await flow.orderIs(id, 'paid');
  await advance('P2D');
  await flow.paymentIs(id, 'captured');
  expect(flow.gate.count.lost).toBeGreaterThan(lostBefore);
});

/** The story of a payment: the lines into which the console summarises its events. */
const storyOf = async (paymentId: string) => {
  const pool = specPool(flow.stack.databases.orchestrator, 2);
  const store = new EventStore(new PostgresLog(pool), UPCASTERS, null);
  const timelines = new Timeline(pool, store, { template: null }, { operationOf: () => null });
  const entries = await timelines.of({ streamType: 'payment', streamId: paymentId });
  await pool.end();
  const { chaptersOf, sentenceOf, causesText } = await storyIn('en');
  return chaptersOf(entries).map(({ entry, causes }) => ({
    sentence: sentenceOf(entries, entry),
    causes: causesText(causes),
  }));
};

test('the story of a paid payment has at most ten lines, with the provider requests and webhooks under the events that they led to', async () => {
  const { id } = await flow.place();
  const { payer, paymentId } = await flow.page(id);
  await payer.pay(CARDS.plain);
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'paid');
  await advance('P2D');
  await flow.paymentIs(id, 'captured');
  // Waits for the webhook in the story: webhooks arrive, and provider requests are logged, later
  // than the events to which they belong.
  const story = await waitFor(async () => {
    const lines = await storyOf(paymentId);
    return /webhook/.test(lines.map(({ causes }) => causes).join()) ? lines : null;
  });
  expect(story.length).toBeLessThanOrEqual(10);
  expect(story.map(({ sentence }) => sentence)).toEqual([
    'Requested a payment of €42.50 from the provider',
    'The provider created the payment intent of €42.50',
    'The payer completed the payment page',
    expect.stringMatching(/^Authorized €42\.50 with CB •••• 0079; it expires on /),
    'Requested the capture of €42.50, by the capture policy',
    'The provider accepted the capture of €42.50',
    'Sent the capture of €42.50 to clearing',
    'Captured €42.50, requested by the capture policy',
  ]);
  expect(story[1]?.causes).toBe('1 request to the provider');
  expect(story[3]?.causes).toMatch(/^2 requests to the provider/);
  expect(story[4]?.causes).toBe('');
});

test('the metrics of all processes count the orders, authorizations, declines and captured amounts of the log', async () => {
  const counted = await countedByProcesses(flow);
  expect(counted).toEqual(await countedFromLog(flow));
  expect(counted).toMatchObject({
    'payments_authorized_total{method="card"}': expect.any(Number),
    'payment_attempts_declined_total{method="card",code="51"}': 1,
    'captured_amount_minor_total{currency="eur"}': expect.any(Number),
  });
});
