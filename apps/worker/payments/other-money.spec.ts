import type { JobRunner } from '#jobs';
import { DAY_MS, newId, plusMs } from '#kernel';
import { type CapturePolicy, orderAggregate } from '#order';
import { EffectsBench } from './calls.fixture.js';

/**
 * The provider shows an amount that differs from the order's: such an amount must not be collected
 * from the payer.
 */

let effects: EffectsBench;
let runner: JobRunner;

beforeAll(async () => {
  effects = await EffectsBench.open({ sagas: true });
  runner = effects.newRunner();
});
beforeEach(() => effects.reset());
afterAll(() => effects.close());

interface Placed {
  readonly orderId: string;
  readonly paymentId: string;
}

const place = async (capture: CapturePolicy): Promise<Placed> => {
  const { bench } = effects;
  const orderId = newId('ord');
  const at = bench.clock.now();
  const state = await bench.store.step(bench.metadata(orderId), async (step) => {
    step.create(orderAggregate, orderId, {
      type: 'PlaceOrder',
      platformId: 'plat_1',
      merchantId: 'm_1',
      accountId: 'acc_1',
      reference: orderId,
      amountMinor: 1_999,
      currency: 'eur',
      capture,
      methods: ['card'],
      returnUrl: null,
      description: null,
      metadata: {},
      expiresAt: plusMs(at, DAY_MS),
      at,
    });
    await step.react();
    return step.load(orderAggregate, orderId);
  });
  await effects.runAll(runner);
  return { orderId, paymentId: state.status === 'open' ? (state.payments.at(-1) ?? '') : '' };
};

const order = async (orderId: string) =>
  (await effects.bench.store.load(orderAggregate, orderId)).state;

const openDuties = (...keys: readonly string[]) =>
  effects.bench.rows('SELECT kind FROM jobs WHERE key = ANY ($1)', keys);

/** Changes the intent's amount at the provider; the payer pays the changed amount. */
const change = ({ paymentId }: Placed, amount: number): void => {
  const intent = effects.provider.intentOf(paymentId);
  if (intent === undefined) throw new Error('the payment has an intent');
  effects.provider.intents.set(intent.id, { ...intent, amount });
};

test.each([{ policy: 'automatic' }, { policy: 'manual' }] as const)(
  'an authorization whose amount differs from the order’s is released ($policy), and the order ends',
  async (capture) => {
    const placed = await place(capture);
    change(placed, 9_900);
    const intent = effects.provider.intentOf(placed.paymentId);
    effects.provider.attempt(intent?.id ?? '', 'authorized');
    await effects.refresh(placed.paymentId, placed.orderId);
    await effects.runAll(runner);
    expect(effects.provider.count('capture')).toBe(0);
    expect(effects.provider.intentOf(placed.paymentId)).toMatchObject({ status: 'canceled' });
    expect(await effects.bench.payment(placed.paymentId)).toMatchObject({ status: 'canceled' });
    expect(await order(placed.orderId)).toMatchObject({
      status: 'failed',
      reason: 'the provider shows the amount 9900 instead of 1999',
    });
    // No further read or deadline is scheduled.
    expect(await openDuties(placed.paymentId, placed.orderId)).toEqual([]);
  },
);

test('an authorization whose amount has changed since the capture was requested is not captured', async () => {
  const placed = await place({ policy: 'automatic' });
  effects.provider.attempt(effects.provider.intentOf(placed.paymentId)?.id ?? '', 'authorized');
  await effects.refresh(placed.paymentId, placed.orderId);
  change(placed, 9_900);
  await effects.runAll(runner);
  expect(effects.provider.count('capture')).toBe(0);
  expect(await order(placed.orderId)).toMatchObject({ status: 'failed' });
});

test('an order is not paid by a capture whose amount differs from the order’s', async () => {
  const placed = await place({ policy: 'automatic' });
  change(placed, 9_900);
  effects.provider.attempt(effects.provider.intentOf(placed.paymentId)?.id ?? '', 'captured');
  await effects.refresh(placed.paymentId, placed.orderId);
  await effects.runAll(runner);
  expect(await order(placed.orderId)).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('and the payer was charged'),
  });
  expect(await effects.bench.payment(placed.paymentId)).toMatchObject({ status: 'captured' });
});

test('an authorization of a part of the amount is released, and the order ends', async () => {
  const placed = await place({ policy: 'automatic' });
  const intentId = effects.provider.intentOf(placed.paymentId)?.id ?? '';
  effects.provider.attempt(intentId, 'authorized', 'authorized', '10');
  effects.provider.misanswer = (verb, body) => {
    if (verb !== 'attempts') return body;
    const { payments } = body as { payments: readonly object[] };
    return { ...(body as object), payments: payments.map((one) => ({ ...one, amount: 700 })) };
  };
  await effects.refresh(placed.paymentId, placed.orderId);
  await effects.runAll(runner);
  expect(effects.provider.count('capture')).toBe(0);
  expect(effects.provider.intentOf(placed.paymentId)).toMatchObject({ status: 'canceled' });
  expect(await order(placed.orderId)).toMatchObject({
    status: 'failed',
    reason: 'the provider shows the amount 700 instead of 1999',
  });
});
