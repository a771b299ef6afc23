import type { JobRunner } from '#jobs';
import { MINUTE_MS, msOf } from '#kernel';
import { exists, type Refund } from '#payment';
import { runOps } from '../../../tools/ops-commands.js';
import type { TinyProvider } from '../tiny-provider.fixture.js';
import type { WorkerBench } from '../worker.fixture.js';
import { newIntent } from '../worker.fixture.js';
import { EffectsBench } from './calls.fixture.js';
import { ResolveResult, StuckCalls } from '#operations';

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

const ops = (...args: readonly string[]): Promise<string> => {
  const { admin: pool, store, clock, clientOf } = bench;
  const resolveResult = () => Promise.resolve(new ResolveResult(pool, store, clock, clientOf));
  const business = () => Promise.resolve({ store, clock });
  const origin = { actor: 'ops:ann', requestId: 'ops' };
  return runOps({ pool, origin, resolveResult, business }, args);
};

const apply = (jobId: string, ...how: readonly '--not-ours'[]) =>
  ops('requests', 'resolve', jobId, '--apply', '--reason', 'checked', ...how);

const lastJob = async (id: string) => {
  const job = (await effects.jobs(id)).at(-1);
  if (job === undefined) throw new Error('the payment has a job');
  return job;
};

const refundsOf = async (id: string): Promise<readonly Refund[]> => {
  const payment = await bench.payment(id);
  return exists(payment) ? payment.refunds : [];
};

interface Stuck {
  readonly id: string;
  readonly intentId: string;
  readonly jobId: string;
}

/** Marks the newest job as failed `minutes` ago, with all retries exhausted. */
const getStuck = async (id: string, minutes = 20): Promise<Stuck> => {
  await bench.admin.query(
    `UPDATE jobs SET state = 'stuck',
            updated_at = clock_timestamp() - $2 * interval '1 minute'
      WHERE subject_id = $1 AND state <> 'done'`,
    [id, minutes],
  );
  const { jobId } = await lastJob(id);
  return { id, jobId, intentId: provider.intentOf(id)?.id ?? '' };
};

const ask = (id: string, requestId: string) =>
  bench.command(id, {
    type: 'RequestRefund',
    requestId,
    amountMinor: 500,
    reference: null,
    reason: null,
    at: bench.clock.now(),
  });

const askedFor = async (): Promise<string> => {
  const id = await bench.requestIntent();
  await effects.runAll(runner);
  provider.attempt(provider.intentOf(id)?.id ?? '', 'captured');
  await effects.refresh(id);
  await ask(id, 'rfr_1');
  return id;
};

/**
 * Creates a refund request whose call failed before the provider executed it, with an unknown
 * result.
 */
const stuckRefund = async (minutes?: number): Promise<Stuck> => {
  const id = await askedFor();
  provider.failNext('refund', 'reset_before');
  await effects.runAll(runner);
  return getStuck(id, minutes);
};

const stuckCapture = async (): Promise<Stuck> => {
  const id = await bench.requestIntent();
  await effects.runAll(runner);
  provider.attempt(provider.intentOf(id)?.id ?? '', 'authorized');
  await effects.refresh(id);
  await bench.command(id, {
    type: 'RequestCapture',
    captureId: 'cap_1',
    by: 'policy',
    at: bench.clock.now(),
  });
  return getStuck(id);
};

test('the preview of the resolution of a failed request shows the provider’s state and records nothing', async () => {
  const { id, intentId, jobId } = await stuckRefund();
  const before = await bench.story(id);
  const [line = '', note] = (await ops('requests', 'resolve', jobId)).split('\n');
  expect(JSON.parse(line)).toMatchObject({
    jobId,
    kind: 'refund',
    paymentId: id,
    outcome: 'not_made',
    evidence: { intent: `${intentId} captured`, refunds: [] },
  });
  expect(note).toBe('This is a preview: nothing was recorded. Add --apply to record this result.');
  expect(await bench.story(id)).toEqual(before);
  expect(await lastJob(id)).toMatchObject({ state: 'stuck' });
});

test('a failed refund request is resolved as not executed if the provider shows no refund, and can be repeated', async () => {
  const { id, jobId } = await stuckRefund();
  await apply(jobId);
  expect(await refundsOf(id)).toMatchObject([
    { status: 'rejected', rejection: 'the provider did not execute the refund' },
  ]);
  const [event] = await bench.rows<{ metadata: object }>(
    `SELECT metadata FROM events WHERE stream_id = $1 AND type = 'RefundRejected'`,
    id,
  );
  expect(event?.metadata).toMatchObject({ actor: 'ops:ann', causationId: jobId });
  await effects.runAll(runner);
  expect(await lastJob(id)).toMatchObject({ state: 'done' });
  expect(await bench.payment(id)).toMatchObject({ rejectedRefunds: ['rfr_1'] });
  await ask(id, 'rfr_2');
  expect(await bench.payment(id)).toMatchObject({ rejectedRefunds: [] });
  await effects.runAll(runner);
  expect((await refundsOf(id)).at(-1)).toMatchObject({ requestId: 'rfr_2', status: 'to_refund' });
});

test('a refund is not sent by the job of an earlier request that was recorded as not executed', async () => {
  const { id, jobId } = await stuckRefund();
  await apply(jobId);
  await ask(id, 'rfr_2');
  provider.failNext('refund', 'reset_before');
  await effects.runAll(runner);
  expect((await effects.jobs(id)).slice(-2)).toMatchObject([
    { jobId, state: 'done' },
    { kind: 'refund', state: 'waiting' },
  ]);
  // The first job ended without sending the refund, so the second request's job can be resolved as
  // well.
  await apply((await getStuck(id)).jobId);
  await effects.runAll(runner);
  expect(await refundsOf(id)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(await lastJob(id)).toMatchObject({ state: 'done' });
});

test('a failed refund request is resolved as executed if the provider shows the refund', async () => {
  const { id, intentId, jobId } = await stuckRefund();
  const made = provider.refund(intentId, 500);
  expect(await ops('requests', 'resolve', jobId)).toContain('"outcome":"made"');
  await apply(jobId);
  await effects.runAll(runner);
  expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', refundId: made.id }]);
  expect(provider.count('refund')).toBe(1);
});

test('a failed refund request is not resolved as executed by an equal refund that was made before the request', async () => {
  const { id, intentId, jobId } = await stuckRefund();
  const anHourAgo = msOf(bench.clock.now()) / 1_000 - 3_600;
  const theirs = provider.refund(intentId, 500, 'to_refund', anHourAgo);
  expect(await apply(jobId)).toContain('"outcome":"not_made"');
  expect(await refundsOf(id)).toMatchObject([
    { requestId: 'rfr_1', status: 'rejected' },
    { requestId: null, refundId: theirs.id },
  ]);
});

test('a failed refund request is not resolved by a refund of another currency', async () => {
  const { id, intentId, jobId } = await stuckRefund();
  provider.refund(intentId, 500);
  provider.misanswer = (verb, body) =>
    verb === 'refunds'
      ? (body as readonly object[]).map((one) => ({ ...one, currency: 'usd' }))
      : body;
  await expect(apply(jobId)).rejects.toMatchObject({ code: 'result_not_shown' });
  expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'requested' }]);
});

describe('a refund request that is blocked by an unexplained refund of the same amount', () => {
  const besideItsLike = async (): Promise<Stuck & { readonly likeId: string }> => {
    const id = await askedFor();
    const made = Math.ceil(Date.parse(bench.clock.now()) / 1_000);
    const like = provider.refund(provider.intentOf(id)?.id ?? '', 500, 'to_refund', made);
    await effects.runAll(runner);
    return { ...(await getStuck(id)), likeId: like.id };
  };

  test('is recorded as executed when the operator declares that the unexplained refund is the requested one, lost in a database restore', async () => {
    const { id, jobId, likeId } = await besideItsLike();
    await apply(jobId);
    await effects.runAll(runner);
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', refundId: likeId }]);
    expect(await lastJob(id)).toMatchObject({ state: 'done' });
    expect(provider.count('refund')).toBe(0);
  });

  test('is sent when the operator declares that the unexplained refund is not the requested one', async () => {
    const { id, jobId, likeId } = await besideItsLike();
    expect(await ops('requests', 'resolve', jobId, '--not-ours')).toContain('"outcome":"others"');
    await apply(jobId, '--not-ours');
    await effects.runAll(runner);
    expect(await refundsOf(id)).toMatchObject([
      { requestId: 'rfr_1', status: 'to_refund' },
      { requestId: null, refundId: likeId },
    ]);
    expect(provider.count('refund')).toBe(1);
    await ask(id, 'rfr_2');
    await effects.runAll(runner);
    expect(provider.count('refund')).toBe(2);
  });
});

test('a refund at the provider cannot be declared different from the requested refund if our refund call was sent', async () => {
  const { intentId, jobId } = await stuckRefund();
  await expect(apply(jobId, '--not-ours')).rejects.toMatchObject({ code: 'no_other_refund' });
  provider.refund(intentId, 500);
  await expect(apply(jobId, '--not-ours')).rejects.toMatchObject({ code: 'possibly_ours' });
});

test('after a read has found the refund, a failed refund call can be resolved, and then no longer blocks the payment’s next call', async () => {
  const { id, intentId, jobId } = await stuckRefund();
  provider.refund(intentId, 500);
  await effects.refresh(id);
  await ask(id, 'rfr_2');
  await effects.runAll(runner);
  expect(provider.count('refund')).toBe(1);
  expect(await apply(jobId)).toContain('"outcome":"made"');
  await effects.runAll(runner);
  expect(provider.count('refund')).toBe(2);
  expect(await refundsOf(id)).toMatchObject([
    { requestId: 'rfr_1', status: 'to_refund' },
    { requestId: 'rfr_2', status: 'to_refund' },
  ]);
});

test('a failed refund request that may still arrive at the provider cannot be resolved', async () => {
  const { id, jobId } = await stuckRefund(1);
  await expect(apply(jobId)).rejects.toMatchObject({ code: 'may_still_arrive' });
  expect(await refundsOf(id)).toMatchObject([{ status: 'requested' }]);
});

describe('a failed refund request that was certainly not sent', () => {
  /** The provider has rejected our API key until the retries were exhausted. */
  const neverSent = async (): Promise<Stuck> => {
    const id = await askedFor();
    provider.failNext('get', 'refuse401');
    await effects.runAll(runner);
    return getStuck(id);
  };

  /** Calls `work` when the resolution reads the refunds. */
  const whileRefundsAreRead = (work: () => Promise<unknown>): void => {
    provider.before = async (verb) => {
      if (verb !== 'refunds') return;
      provider.before = () => {};
      await work();
    };
  };

  test('is not recorded as not executed if it is retried and sent meanwhile', async () => {
    const { id, jobId } = await neverSent();
    whileRefundsAreRead(async () => {
      await new StuckCalls(bench.pool).release(jobId, 'the key is replaced');
      await effects.runAll(runner);
    });
    await expect(apply(jobId)).rejects.toMatchObject({ code: 'not_stuck' });
    expect(await bench.story(id)).not.toContain('RefundRejected');
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
    expect(provider.count('refund')).toBe(1);
  });

  test('is not recorded as not executed while a retry is sending it', async () => {
    const { id, jobId } = await neverSent();
    let sending: Promise<unknown> = Promise.resolve();
    let sent = (): void => undefined;
    whileRefundsAreRead(async () => {
      await new StuckCalls(bench.pool).release(jobId, 'the key is replaced');
      const isSending = new Promise<void>((begin) => {
        provider.before = (verb) => {
          if (verb !== 'refund') return undefined;
          begin();
          return new Promise<void>((end) => (sent = end));
        };
      });
      sending = effects.runAll(runner);
      await isSending;
    });
    const resolving = apply(jobId).finally(async () => {
      sent();
      await sending;
    });
    await expect(resolving).rejects.toMatchObject({ code: 'not_stuck' });
    expect(await bench.story(id)).not.toContain('RefundRejected');
    expect(await refundsOf(id)).toMatchObject([{ requestId: 'rfr_1', status: 'to_refund' }]);
  });

  test('is not recorded as not executed if it is retried and fails again meanwhile', async () => {
    const { id, jobId } = await neverSent();
    whileRefundsAreRead(async () => {
      await new StuckCalls(bench.pool).release(jobId, 'the key is replaced');
      provider.failNext('refund', 'reset_before');
      await effects.runAll(runner);
      await getStuck(id, 0);
    });
    await expect(apply(jobId)).rejects.toMatchObject({ code: 'not_stuck' });
    expect(await bench.story(id)).not.toContain('RefundRejected');
    expect(await lastJob(id)).toMatchObject({ state: 'stuck' });
  });

  test('is resolved although no worker has begun it', async () => {
    const id = await askedFor();
    const { jobId } = await getStuck(id);
    expect(await apply(jobId)).toContain('"outcome":"not_made"');
    await effects.runAll(runner);
    expect(await lastJob(id)).toMatchObject({ state: 'done' });
    expect(provider.count('refund')).toBe(0);
  });
});

test('a failed capture call is resolved only if the provider shows the capture', async () => {
  const { id, intentId, jobId } = await stuckCapture();
  await expect(ops('requests', 'resolve', jobId)).rejects.toMatchObject({
    code: 'result_not_shown',
  });
  const intent = provider.intents.get(intentId);
  if (intent) intent.status = 'capture_sent';
  await apply(jobId);
  expect(await bench.payment(id)).toMatchObject({ status: 'capture_sent' });
  await effects.runAll(runner);
  expect(await lastJob(id)).toMatchObject({ state: 'done' });
  expect(provider.count('capture')).toBe(0);
});

test('the resolution of a call is rejected if the call does not need an operator, or if no reason is given', async () => {
  const { id, jobId } = await stuckRefund();
  await expect(ops('requests', 'resolve', jobId, '--apply')).rejects.toThrow(
    /^--reason is missing/,
  );
  await apply(jobId);
  await expect(apply(jobId)).rejects.toMatchObject({ code: 'not_stuck' });
  await expect(apply('nonsense')).rejects.toMatchObject({ code: 'not_stuck' });
  expect((await bench.story(id)).filter((type) => type === 'RefundRejected')).toHaveLength(1);
});

describe('an intent that the provider no longer has', () => {
  const stuckCancel = async (): Promise<Stuck> => {
    const id = await bench.requestIntent();
    await effects.runAll(runner);
    const intentId = provider.intentOf(id)?.id ?? '';
    const at = bench.clock.now();
    await bench.command(id, { type: 'RequestCancel', reason: 'expiry', at });
    provider.intents.delete(intentId);
    for (let run = 0; run < 8; run += 1) {
      await effects.runAll(runner);
      bench.clock.advance(2 * MINUTE_MS);
    }
    expect(await lastJob(id)).toMatchObject({ kind: 'cancel', state: 'stuck' });
    return { ...(await getStuck(id)), intentId };
  };

  test('ends its payment after an operator’s confirmation, and ends the call', async () => {
    const { id, jobId } = await stuckCancel();
    expect(await apply(jobId)).toContain('"outcome":"forgotten"');
    expect(await bench.payment(id)).toMatchObject({ status: 'canceled' });
    await effects.runAll(runner);
    expect(await lastJob(id)).toMatchObject({ state: 'done' });
  });

  test('is not confirmed as missing if the provider has a new intent with our reference', async () => {
    const { id, jobId } = await stuckCancel();
    const client = await bench.clientOf();
    await client.createIntent(newIntent(id));
    await expect(apply(jobId)).rejects.toMatchObject({ kind: 'rejected' });
    expect(await bench.payment(id)).toMatchObject({ status: 'open' });
  });

  test('ends its requested refund as not executed after an operator’s confirmation', async () => {
    const { id, jobId, intentId } = await stuckRefund();
    provider.intents.delete(intentId);
    await apply(jobId);
    expect(await refundsOf(id)).toMatchObject([
      { status: 'rejected', rejection: 'the provider has no such payment' },
    ]);
  });
});
