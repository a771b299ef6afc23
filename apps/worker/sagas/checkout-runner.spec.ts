import { HOUR_MS, newId, plusMs } from '#kernel';
import type { EventMessage } from '#messaging';
import { orderAggregate, type OrderCommand } from '#order';
import { paymentAggregate } from '#payment';
import { ACCOUNT, WorkerBench } from '../worker.fixture.js';
import { CheckoutRunner } from './checkout-runner.js';

let bench: WorkerBench;
let runner: CheckoutRunner;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:1');
  runner = new CheckoutRunner(bench.store, bench.clock);
});
afterAll(() => bench.close());

const command = (orderId: string, one: OrderCommand) =>
  bench.store.execute(orderAggregate, orderId, one, { ...bench.metadata(orderId) });

/** Tells the checkout the newest event of a type, as its topic would. */
const tell = async (
  streamType: 'order' | 'payment', streamId: string, type: string,
): Promise<void> => {
  const events = await bench.store.readStreams([{ streamType, streamId }]);
  const event = events.findLast((one) => one.type === type);
  if (event === undefined) throw new Error(`${streamId} has no ${type}`);
  const message: EventMessage = event;
  await bench.store.step(message.metadata, (step) => runner.subscription.handle(message, step));
};

/** An order whose payment is open at the provider. */
const openOrder = async (): Promise<{ orderId: string; paymentId: string }> => {
  const orderId = newId('ord');
  const at = bench.clock.now();
  await command(orderId, {
    type: 'PlaceOrder', platformId: 'plat_1', merchantId: 'baker', accountId: ACCOUNT,
    reference: orderId, amountMinor: 1_999, currency: 'eur', capture: { policy: 'automatic' },
    methods: ['card'], returnUrl: null, description: null, metadata: {},
    expiresAt: plusMs(at, HOUR_MS), at,
  });
  await tell('order', orderId, 'OrderPlaced');
  const { state: order } = await bench.store.load(orderAggregate, orderId);
  const paymentId = order.status === 'open' ? order.payments.at(-1) ?? '' : '';
  await observe(orderId, paymentId, 'require_payment_method');
  return { orderId, paymentId };
};

const observe = (orderId: string, paymentId: string, status: string): Promise<unknown> => {
  const at = bench.clock.now();
  const attempt = {
    attemptId: 'paym_1', status, response: '00', method: 'card', mandateId: null, createdAt: at,
  } as const;
  return bench.store.execute(paymentAggregate, paymentId, {
    type: 'ObservePayment', at,
    observation: {
      intent: {
        intentId: `pi_${paymentId}`, pageUrl: 'https://pay.example', status, amountMinor: 1_999,
        currency: 'eur',
      },
      attempts: status === 'authorized' ? [attempt] : [], refunds: null, disputes: null,
    },
  }, bench.metadata(orderId));
};

test('an authorization that is told before the cancellation is not captured', async () => {
  const { orderId, paymentId } = await openOrder();
  await command(orderId, { type: 'RequestCancellation', at: bench.clock.now() });
  await observe(orderId, paymentId, 'authorized');

  await tell('payment', paymentId, 'PaymentAuthorized');
  expect(await bench.story(paymentId)).not.toContain('CaptureRequested');

  await tell('order', orderId, 'OrderCancellationRequested');
  expect(await bench.story(paymentId))
    .toEqual(['IntentRequested', 'IntentCreated', 'PaymentAuthorized', 'CancelRequested']);
});
