import type { JobRunner } from '#jobs';
import { msOf, Rejection } from '#kernel';
import { StuckCalls } from '#operations';
import { exists, type Refund } from '#payment';
import type { TinyProvider } from '../tiny-provider.fixture.js';
import type { WorkerBench } from '../worker.fixture.js';
import { EffectsBench } from './calls.fixture.js';
import { paymentEffects } from './payment-effects.js';

let effects: EffectsBench;
let bench: WorkerBench;
let provider: TinyProvider;
let runner: JobRunner;

beforeAll(async () => {
  effects = await EffectsBench.open();
  ({ bench, provider } = effects);
  runner = effects.newRunner();
});
beforeEach(() => effects.reset());
afterAll(() => effects.close());

const runAll = () => effects.runAll(runner);

const retryLater = async (): Promise<void> => {
  bench.clock.advance(60_000);
  await runAll();
};

const capturedPayment = async (): Promise<{ id: string; intentId: string }> => {
  const id = await bench.requestIntent();
  await runAll();
  const intentId = provider.intentOf(id)?.id ?? '';
  provider.attempt(intentId, 'captured');
  await effects.refresh(id);
  provider.asked.length = 0;
  return { id, intentId };
};

const ask = (id: string, amountMinor: number | null = 500, requestId = 'rfr_1') =>
  bench.command(id, {
    type: 'RequestRefund',
    requestId,
    amountMinor,
    reference: null,
    reason: null,
    at: bench.clock.now(),
  });

const refundsOf = async (id: string): Promise<readonly Refund[]> => {
  const payment = await bench.payment(id);
  return exists(payment) ? payment.refunds : [];
};

const lastJob = async (id: string) => (await effects.jobs(id)).at(-1);

test('a refund in the response to our request is recorded as ours, even if the provider’s clock is wrong', async () => {
  const { id, intentId } = await capturedPayment();
  provider.nowSeconds = () => anHourAgo();
  await ask(id);
  await runAll();
  const [made] = provider.refunds.get(intentId) ?? [];
  expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', refundId: made?.id }]);
});

test('the worker sends a refund once, after a read of the existing refunds', async () => {
  const { id, intentId } = await capturedPayment();
  await ask(id);
  await runAll();
  expect(provider.asked).toEqual(['get', 'attempts', 'disputes', 'refunds', 'refund']);
  const [made] = provider.refunds.get(intentId) ?? [];
  expect(await refundsOf(id)).toMatchObject([
    { requestId: 'rfr_1', refundId: made?.id, status: 'to_refund', amountMinor: 500 },
  ]);
  expect(await lastJob(id)).toMatchObject({ kind: 'refund', state: 'done', tries: 1 });
});

describe('a refund whose response was lost', () => {
  test.each(['reset', 'html'] as const)(
    'is found by the next read and not sent again, if the provider executed the request (%s)',
    async (fault) => {
      const { id } = await capturedPayment();
      await ask(id);
      provider.failNext('refund', fault);
      await runAll();
      expect(await bench.payment(id)).toMatchObject({ unknown: ['refund'] });
      await retryLater();
      expect(provider.count('refund')).toBe(1);
      expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
      expect(await bench.payment(id)).toMatchObject({ unknown: [] });
      expect((await bench.story(id)).slice(-4)).toEqual([
        'RefundRequested',
        'RequestResultUnknown',
        'RefundObserved',
        'RequestResultResolved',
      ]);
    },
  );

  test('is found by any read of the payment, e.g. a refresh', async () => {
    const { id } = await capturedPayment();
    await ask(id);
    provider.failNext('refund', 'reset');
    await runAll();
    await effects.refresh(id);
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
    await retryLater();
    expect(await lastJob(id)).toMatchObject({ state: 'done' });
    expect(provider.count('refund')).toBe(1);
  });

  test('is not found in a refund of another currency, and needs an operator', async () => {
    const { id } = await capturedPayment();
    await ask(id);
    provider.failNext('refund', 'reset');
    await runAll();
    provider.misanswer = (verb, body) =>
      verb === 'refunds'
        ? (body as readonly object[]).map((one) => ({ ...one, currency: 'usd' }))
        : body;
    await retryLater();
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'requested' }]);
    expect(await bench.payment(id)).toMatchObject({ unknown: ['refund'] });
    expect(await lastJob(id)).toMatchObject({ state: 'stuck' });
    expect(await bench.story(id)).toContain('PaymentMismatchObserved');
  });

  test('needs an operator if the provider shows it beyond the captured amount', async () => {
    const { id, intentId } = await capturedPayment();
    await ask(id);
    provider.failNext('refund', 'reset');
    await runAll();
    provider.refund(intentId, 1_700);
    provider.misanswer = (verb, body) =>
      verb === 'refunds' ? (body as readonly object[]).toReversed() : body;
    await retryLater();
    expect(await refundsOf(id)).toMatchObject([
      { requestId: 'rfr_1', status: 'requested' },
      { requestId: null, amountMinor: 1_700 },
    ]);
    expect(await bench.payment(id)).toMatchObject({ unknown: ['refund'] });
    expect(await lastJob(id)).toMatchObject({ state: 'stuck' });
  });

  test('is never sent again, and needs an operator, if the provider did not execute the request', async () => {
    const { id } = await capturedPayment();
    await ask(id);
    provider.failNext('refund', 'reset_before');
    await runAll();
    for (let read = 0; read < 30; read += 1) {
      bench.clock.advance(6 * 3_600_000);
      await runAll();
    }
    expect(provider.count('refund')).toBe(1);
    expect(await lastJob(id)).toMatchObject({
      state: 'stuck',
      note: 'the provider shows no new refund',
    });
    await expect(ask(id, 1, 'rfr_2')).rejects.toMatchObject({ code: 'refund_in_progress' });
  });

  test('is searched for, not sent again, when an operator retries the request', async () => {
    const { id, intentId } = await capturedPayment();
    await ask(id);
    provider.failNext('refund', 'reset_before');
    await runAll();
    await bench.admin.query(`UPDATE jobs SET state = 'stuck' WHERE kind = 'refund'`);
    const { jobId } = (await lastJob(id)) ?? { jobId: '' };
    await new StuckCalls(bench.pool).release(jobId, 'the provider has it now');
    provider.refund(intentId, 500);
    bench.clock.advance(3_600_000 * 24 * 365 * 10);
    await runAll();
    expect(provider.count('refund')).toBe(1);
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
  });
});

describe('a worker that crashes during a refund', () => {
  test('leaves a job whose retry finds the refund, if it crashes after the call', async () => {
    const { id, intentId } = await capturedPayment();
    await ask(id);
    await runner.claim(10);
    provider.refund(intentId, 500);
    await effects.lapse();
    await runAll();
    expect(provider.count('refund')).toBe(0);
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
  });

  test('leaves a refund that only the retried job, not a poll, attributes to the request, if it crashes after the call', async () => {
    const { id, intentId } = await capturedPayment();
    await ask(id);
    await runner.claim(10);
    provider.refund(intentId, 500);
    await effects.refresh(id);
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'requested' }]);
    await effects.lapse();
    await runAll();
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
  });

  test.each([
    ['refunds', 'limit429'],
    ['get', '404'],
  ] as const)(
    'leaves a refund with an unknown result, if it crashes after the call and the read by the retried job fails (%s %s)',
    async (verb, fault) => {
      const { id, intentId } = await capturedPayment();
      await ask(id);
      await runner.claim(10);
      await effects.lapse();
      provider.failNext(verb, fault);
      await runAll();
      expect(await bench.payment(id)).toMatchObject({ unknown: ['refund'] });
      provider.refund(intentId, 500);
      await retryLater();
      expect(provider.count('refund')).toBe(0);
      expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
    },
  );

  test('leaves a job that only searches for the refund and never sends it, if it crashes before the call', async () => {
    const { id } = await capturedPayment();
    await ask(id);
    await runner.claim(10);
    await effects.lapse();
    await runAll();
    await retryLater();
    expect(provider.count('refund')).toBe(0);
    expect(await bench.payment(id)).toMatchObject({ unknown: ['refund'] });
    expect(await lastJob(id)).toMatchObject({ state: 'waiting' });
  });
});

const anHourAgo = (): number => msOf(bench.clock.now()) / 1_000 - 3_600;

describe('a refund that the merchant made at the provider before our call', () => {
  test('is recorded before our call and not attributed to our request, even if the amounts are equal', async () => {
    const { id, intentId } = await capturedPayment();
    const theirs = provider.refund(intentId, 500, 'to_refund', anHourAgo());
    await ask(id);
    await runAll();
    expect(provider.count('refund')).toBe(0);
    await retryLater();
    expect(provider.count('refund')).toBe(1);
    expect(await refundsOf(id)).toMatchObject([
      { requestId: 'rfr_1', status: 'to_refund' },
      { requestId: null, refundId: theirs.id },
    ]);
  });

  test('is not attributed to our request when our response is lost', async () => {
    const { id, intentId } = await capturedPayment();
    const theirs = provider.refund(intentId, 500, 'to_refund', anHourAgo());
    await ask(id);
    await runAll();
    provider.failNext('refund', 'reset');
    await retryLater();
    await retryLater();
    const [ours] = await refundsOf(id);
    expect(ours).toMatchObject({ requestId: 'rfr_1', status: 'to_refund' });
    expect(ours).not.toMatchObject({ refundId: theirs.id });
    expect(provider.count('refund')).toBe(1);
  });

  test('is not attributed to our request when the worker crashes before the call, even if the amounts are equal', async () => {
    const { id, intentId } = await capturedPayment();
    const theirs = provider.refund(intentId, 500, 'to_refund', anHourAgo());
    await ask(id);
    await runner.claim(10);
    await effects.lapse();
    await runAll();
    expect(provider.count('refund')).toBe(0);
    expect(await refundsOf(id)).toMatchObject([
      { requestId: 'rfr_1', status: 'requested' },
      { requestId: null, refundId: theirs.id },
    ]);
    expect(await bench.payment(id)).toMatchObject({ unknown: ['refund'] });
    expect(await lastJob(id)).toMatchObject({ state: 'waiting' });
  });
});

describe('a refund that is not in our event log and was made after our request', () => {
  const justNow = (): number => Math.ceil(msOf(bench.clock.now()) / 1_000);

  test.each(['before a read has shown it', 'after a read has shown it'])(
    'blocks our refund if it has the same amount, because a database restore may have lost our call (%s)',
    async (when) => {
      const { id, intentId } = await capturedPayment();
      await ask(id);
      const made = provider.refund(intentId, 500, 'to_refund', justNow());
      if (when.startsWith('after')) await effects.refresh(id);
      await runAll();
      expect(provider.count('refund')).toBe(0);
      expect(await lastJob(id)).toMatchObject({
        state: 'stuck',
        note: 'a refund of the same amount was made since this one was requested',
      });
      expect(provider.refunds.get(intentId)).toEqual([made]);
      // No read can show whether the refund is ours; an operator decides.
      await effects.refresh(id);
      expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'requested' }]);
    },
  );

  test('does not block our refund if it has a different amount', async () => {
    const { id, intentId } = await capturedPayment();
    await ask(id);
    provider.refund(intentId, 300, 'to_refund', justNow());
    await runAll();
    await retryLater();
    expect(provider.count('refund')).toBe(1);
  });
});

describe('a refund request that the provider does not execute', () => {
  test('is rejected because the payment is disputed, and the dispute is recorded', async () => {
    const { id, intentId } = await capturedPayment();
    await ask(id);
    provider.dispute(intentId);
    await runAll();
    expect(provider.count('refund')).toBe(0);
    expect(await refundsOf(id)).toMatchObject([
      { status: 'rejected', rejection: 'the payment is disputed' },
    ]);
    expect(await bench.payment(id)).toMatchObject({ disputes: [{ payerReasonCode: '45' }] });
  });

  test('a refund is rejected because of a dispute opened between the read and the call (409)', async () => {
    const { id, intentId } = await capturedPayment();
    await ask(id);
    provider.before = (verb) => {
      if (verb === 'refund') provider.dispute(intentId);
    };
    await runAll();
    expect(await refundsOf(id)).toMatchObject([
      { status: 'rejected', rejection: '409 it is disputed' },
    ]);
    expect(await bench.payment(id)).toMatchObject({ disputes: [{ kind: 'chargeback' }] });
    expect(await lastJob(id)).toMatchObject({ state: 'done' });
  });

  test.each([
    ['refuse422', 'rejected'],
    ['limit429', 'requested'],
  ] as const)('a refund with the response %s is %s', async (fault, status) => {
    const { id } = await capturedPayment();
    await ask(id);
    provider.failNext('refund', fault);
    await runAll();
    expect(await refundsOf(id)).toMatchObject([{ status }]);
  });

  test('a refund with a 429 response is executed once, by a retry', async () => {
    const { id, intentId } = await capturedPayment();
    await ask(id);
    provider.failNext('refund', 'limit429');
    await runAll();
    await retryLater();
    expect(provider.refunds.get(intentId)).toHaveLength(1);
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
  });
});

test('if a refund that the provider executed cannot be recorded, the refund’s job fails, and a retry of the job sends no second refund', async () => {
  const { id, intentId } = await capturedPayment();
  await ask(id);
  const { store, clock, clientOf, capabilitiesOf } = bench;
  const family = paymentEffects({
    store,
    clock,
    clientOf,
    capabilitiesOf,
    lostTimes: () => Promise.resolve([]),
    heldDebitOf: () => Promise.resolve(null),
  });
  const broken = effects.newRunner([
    {
      ...family,
      load: async (job) => {
        const loaded = await family.load(job);
        const record = () => Promise.reject(new Rejection('bug', 'it cannot be taken in'));
        return { ...loaded, make: async (tools) => ({ ...(await loaded.make(tools)), record }) };
      },
    },
  ]);
  await effects.runAll(broken);
  expect(await lastJob(id)).toMatchObject({ state: 'stuck', note: 'it cannot be taken in' });
  expect(await bench.payment(id)).toMatchObject({ unknown: ['refund'] });
  await new StuckCalls(bench.pool).release((await lastJob(id))?.jobId ?? '', 'the bug is fixed');
  await runAll();
  expect(provider.refunds.get(intentId)).toHaveLength(1);
  expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
});
