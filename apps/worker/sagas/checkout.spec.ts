import { HOUR_MS, newId, plusMs } from '#kernel';
import { orderAggregate, type OrderCommand } from '#order';
import { paymentAggregate } from '#payment';
import { ORCHESTRATION } from '#orchestrator';
import { ACCOUNT, WorkerBench } from '../worker.fixture.js';
import { JobsBench } from '../jobs.fixture.js';
import { sagaDeadlines } from './saga-deadlines.js';

let bench: WorkerBench;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:1', { sagas: true });
});
afterAll(() => bench.close());

const command = (orderId: string, one: OrderCommand) =>
  bench.store.execute(orderAggregate, orderId, one, { ...bench.metadata(orderId) });

const place = async (): Promise<string> => {
  const orderId = newId('ord');
  const at = bench.clock.now();
  await command(orderId, {
    type: 'PlaceOrder',
    platformId: 'plat_1',
    merchantId: 'baker',
    accountId: ACCOUNT,
    reference: orderId,
    amountMinor: 1_999,
    currency: 'eur',
    capture: { policy: 'automatic' },
    methods: ['card'],
    returnUrl: null,
    description: null,
    metadata: {},
    expiresAt: plusMs(at, HOUR_MS),
    at,
  });
  return orderId;
};

const paymentOf = async (orderId: string): Promise<string> => {
  const { state: order } = await bench.store.load(orderAggregate, orderId);
  return order.status === 'not_placed' ? '' : (order.payments.at(-1) ?? '');
};

const observe = (orderId: string, paymentId: string, status: string): Promise<unknown> => {
  const at = bench.clock.now();
  const attempt = {
    attemptId: newId('paym'),
    status,
    response: '00',
    method: 'card',
    mandateId: null,
    authorizedUntil: at,
  } as const;
  return bench.store.execute(
    paymentAggregate,
    paymentId,
    {
      type: 'ObservePayment',
      paymentId,
      at,
      observation: {
        intent: {
          intentId: `pi_${paymentId}`,
          reference: paymentId,
          pageUrl: 'https://pay.example',
          status,
          amountMinor: 1_999,
          currency: 'eur',
        },
        attempts: status === 'authorized' ? [attempt] : [],
        refunds: null,
        disputes: null,
      },
    },
    bench.metadata(orderId),
  );
};

/** Every event of the order and its payment, with its actor. */
const eventsOf = async (orderId: string, paymentId: string) =>
  bench.store.readStreams([
    { streamType: 'order', streamId: orderId },
    { streamType: 'payment', streamId: paymentId },
  ]);

test('the checkout saga requests an order’s payment in the commit that places the order', async () => {
  const orderId = await place();
  const paymentId = await paymentOf(orderId);
  const events = await eventsOf(orderId, paymentId);
  expect(events.map(({ type }) => type)).toEqual([
    'OrderPlaced',
    'OrderPaymentStarted',
    'IntentRequested',
  ]);
  expect(new Set(events.map(({ cursor }) => cursor.transactionId)).size).toBe(1);
  expect(await bench.rows('SELECT kind, state FROM jobs WHERE subject_id = $1', paymentId)).toEqual(
    [{ kind: 'create_intent', state: 'ready' }],
  );
  expect(await bench.rows(`SELECT kind FROM jobs WHERE key = $1`, orderId)).toEqual([
    { kind: 'checkout.expiry' },
  ]);
});

test('the checkout saga captures an authorization in the commit that records the authorization', async () => {
  const orderId = await place();
  const paymentId = await paymentOf(orderId);
  await observe(orderId, paymentId, 'open');
  await observe(orderId, paymentId, 'authorized');
  const events = await eventsOf(orderId, paymentId);
  const [authorized, noted, capture] = events.slice(-3);
  expect([authorized?.type, noted?.type, capture?.type].sort()).toEqual([
    'CaptureRequested',
    'OrderAuthorized',
    'PaymentAuthorized',
  ]);
  const cause = events.find(({ type }) => type === 'PaymentAuthorized');
  for (const type of ['OrderAuthorized', 'CaptureRequested']) {
    const event = events.find((one) => one.type === type);
    expect(event?.cursor.transactionId).toBe(cause?.cursor.transactionId);
    expect(event?.metadata).toMatchObject({
      actor: 'saga:checkout',
      causationId: cause?.eventId,
      correlationId: orderId,
    });
  }
});

test('the checkout saga does not capture an authorization that is observed after the order’s cancellation', async () => {
  const orderId = await place();
  const paymentId = await paymentOf(orderId);
  await observe(orderId, paymentId, 'open');
  await command(orderId, { type: 'RequestCancellation', at: bench.clock.now() });
  await observe(orderId, paymentId, 'authorized');
  expect(await bench.story(paymentId)).toEqual([
    'IntentRequested',
    'IntentCreated',
    'CancelRequested',
    'PaymentAuthorized',
  ]);
});

test('a deadline that an older release has scheduled is dropped by the checkout saga without an effect', async () => {
  const orderId = await place();
  const before = await bench.story(orderId);
  await bench.admin.query(
    `INSERT INTO jobs (kind, key, due_at) VALUES ('checkout.overdue', $1, 'epoch')`,
    [orderId],
  );
  const jobs = new JobsBench(bench, ...sagaDeadlines(bench.store, ORCHESTRATION.sagas));
  await jobs.round();
  jobs.stop();
  expect(await bench.story(orderId)).toEqual(before);
  expect(
    await bench.rows(`SELECT kind FROM jobs WHERE key = $1 AND kind = 'checkout.overdue'`, orderId),
  ).toEqual([]);
});

test('a queued deadline of an older release is skipped by the checkout saga, so that the reactions queued behind it run', async () => {
  const orderId = await place();
  const waiting = {
    stimuli: [{ from: 'deadline', kind: 'checkout.overdue', dueAt: bench.clock.now() }],
    attempts: 8,
    error: 'it broke',
  };
  await bench.admin.query(
    `UPDATE sagas SET waiting = $2, retry_at = now(), failing_since = now() WHERE key = $1`,
    [orderId, JSON.stringify(waiting)],
  );
  await bench.store.retryReactions('checkout', orderId);
  expect(await bench.rows('SELECT waiting FROM sagas WHERE key = $1', orderId)).toEqual([
    { waiting: null },
  ]);
});

test('the checkout saga ends an unpaid order in the commit that handles the order’s expiry deadline', async () => {
  const orderId = await place();
  const paymentId = await paymentOf(orderId);
  await observe(orderId, paymentId, 'open');
  bench.clock.advance(HOUR_MS);
  const jobs = new JobsBench(bench, ...sagaDeadlines(bench.store, ORCHESTRATION.sagas));
  await jobs.round();
  jobs.stop();
  const events = await eventsOf(orderId, paymentId);
  expect(events.slice(-2).map(({ type, metadata }) => [type, metadata.actor])).toEqual([
    ['OrderExpiryReached', 'saga:checkout'],
    ['CancelRequested', 'saga:checkout'],
  ]);
  expect(await bench.rows(`SELECT kind FROM jobs WHERE key = $1`, orderId)).toEqual([]);
});
