import type { JobRunner } from '#jobs';
import type { PaymentCommand } from '#payment';
import { waitFor } from '#testing';
import type { Verb } from '../tiny-provider.fixture.js';
import { EffectsBench } from './calls.fixture.js';

/**
 * A response is accepted for a payment only if it contains the payment's reference and an intent
 * that belongs to no other payment.
 */

let effects: EffectsBench;
let runner: JobRunner;

beforeAll(async () => {
  effects = await EffectsBench.open();
  runner = effects.newRunner();
});
beforeEach(() => effects.reset());
afterAll(() => effects.close());

const runAll = () => effects.runAll(runner);

const openPayment = async (): Promise<{ id: string; intentId: string }> => {
  const id = await effects.bench.requestIntent();
  await runAll();
  return { id, intentId: effects.provider.intentOf(id)?.id ?? '' };
};

const mismatchesOf = (id: string) =>
  effects.bench.rows<object>(
    `SELECT data ->> 'aspect' AS aspect, data ->> 'expected' AS expected,
            data ->> 'observed' AS observed
       FROM events WHERE stream_id = $1 AND type = 'PaymentMismatchObserved'`,
    id,
  );

/** Changes the data of every response to this verb. */
const misanswer = (verb: Verb, changes: object): void => {
  effects.provider.misanswer = (asked, body) =>
    asked === verb ? { ...(body as object), ...changes } : body;
};

describe('the response to the creation of an intent', () => {
  test('is rejected if it contains the intent of another payment, because an intent pays only one order', async () => {
    const first = await openPayment();
    misanswer('create', { id: first.intentId });
    const { id } = await openPayment();
    expect(await effects.bench.payment(id)).toMatchObject({
      status: 'requested',
      unknown: ['create_intent'],
    });
    expect(await mismatchesOf(id)).toEqual([
      { aspect: 'intent', expected: 'an intent of its own', observed: first.intentId },
    ]);
    expect(await effects.jobs(id)).toMatchObject([
      { state: 'stuck', note: expect.stringContaining('is reserved by') },
    ]);
    expect(await effects.bench.payment(first.id)).toMatchObject({
      status: 'open',
      intentId: first.intentId,
    });
  });

  test.each([
    ['no reference', { order_id: null, unique_id: null }],
    ['pay_another', { order_id: 'pay_another', unique_id: 'pay_another' }],
  ])(
    'a response with %s instead of our reference is not accepted, and an operator is needed',
    async (observed, changes) => {
      misanswer('create', changes);
      const { id } = await openPayment();
      expect(await effects.bench.payment(id)).toMatchObject({
        status: 'requested',
        unknown: ['create_intent'],
      });
      expect(await mismatchesOf(id)).toEqual([{ aspect: 'intent', expected: id, observed }]);
      expect(await effects.jobs(id)).toMatchObject([{ state: 'stuck' }]);
    },
  );

  test('a response that was not accepted is followed by a lookup of our reference when an operator retries the call', async () => {
    misanswer('create', { order_id: null, unique_id: null });
    const { id, intentId } = await openPayment();
    await effects.bench.admin.query(
      `UPDATE jobs SET state = 'waiting', due_at = 'epoch' WHERE subject_id = $1`,
      [id],
    );
    await runAll();
    expect(await effects.bench.payment(id)).toMatchObject({
      status: 'open',
      intentId,
      unknown: [],
    });
    expect(effects.provider.asked).toEqual(['create', 'find']);
  });
});

describe('a capture for which the provider shows the intent of another payment', () => {
  const authorized = async () => {
    const one = await openPayment();
    effects.provider.attempt(one.intentId, 'authorized');
    await effects.refresh(one.id);
    return one;
  };
  const capture = (id: string): Promise<unknown> => {
    const at = effects.bench.clock.now();
    const command: PaymentCommand = {
      type: 'RequestCapture',
      captureId: 'cap_1',
      by: 'platform',
      at,
    };
    return effects.bench.command(id, command);
  };

  test('is not sent before an operator has decided, if the read before the call shows the other intent', async () => {
    const { id } = await authorized();
    await capture(id);
    misanswer('get', { order_id: 'pay_another', unique_id: 'pay_another' });
    await runAll();
    expect(effects.provider.count('capture')).toBe(0);
    expect(await mismatchesOf(id)).toEqual([
      { aspect: 'intent', expected: id, observed: 'pay_another' },
    ]);
    expect((await effects.jobs(id)).at(-1)).toMatchObject({ kind: 'capture', state: 'stuck' });
  });

  test('has an unknown result until the next read, if the response shows the other intent', async () => {
    const { id } = await authorized();
    await capture(id);
    misanswer('capture', { id: 'pi_another' });
    await runAll();
    expect(await effects.bench.payment(id)).toMatchObject({
      status: 'authorized',
      unknown: ['capture'],
    });
    effects.bench.clock.advance(60_000);
    await waitFor(async () => (await runAll()) > 0);
    expect(await effects.bench.payment(id)).toMatchObject({ status: 'to_capture', unknown: [] });
    expect(effects.provider.count('capture')).toBe(1);
  });
});

describe('the response to a refund request', () => {
  const requestRefund = async (id: string): Promise<void> => {
    const at = effects.bench.clock.now();
    const terms = { amountMinor: 500, reference: null, reason: null, at };
    await effects.bench.command(id, { type: 'RequestRefund', requestId: 'rfr_1', ...terms });
    await runAll();
  };

  const expectUnknown = async (id: string): Promise<void> => {
    expect(await effects.bench.payment(id)).toMatchObject({
      refunds: [{ requestId: 'rfr_1', status: 'requested' }],
      unknown: ['refund'],
    });
    expect((await effects.jobs(id)).at(-1)).toMatchObject({
      state: 'stuck',
      note: expect.stringContaining('the response shows another refund'),
    });
  };

  test('is not recorded as our refund if it shows a refund of another payment', async () => {
    const other = await openPayment();
    const { id, intentId } = await openPayment();
    for (const one of [other.intentId, intentId]) effects.provider.attempt(one, 'captured');
    await effects.refresh(id);
    const stranger = effects.provider.refund(other.intentId, 500);
    misanswer('refund', { id: stranger.id, payment: stranger.payment });
    await requestRefund(id);
    await expectUnknown(id);
  });

  test('is not recorded as our refund if it shows another currency', async () => {
    const { id, intentId } = await openPayment();
    effects.provider.attempt(intentId, 'captured');
    await effects.refresh(id);
    misanswer('refund', { currency: 'usd' });
    await requestRefund(id);
    await expectUnknown(id);
  });
});
