import type { JobRunner } from '#jobs';
import { ConnectionCheck, ForeignLog, requireOwnLog } from '#log';
import { MINUTE_MS, msOf, newId } from '#kernel';
import { endLostTime, ResolveResult } from '#operations';
import { createPool } from '#platform';
import { exists, type Refund } from '#payment';
import type { TinyProvider } from '../tiny-provider.fixture.js';
import { quiet, type WorkerBench } from '../worker.fixture.js';
import { JobsBench } from '../jobs.fixture.js';
import { EffectsBench } from './calls.fixture.js';
import { RestoredPayment } from './restored-payment.js';

/**
 * After the restore of an older event log, the log lacks all provider calls made since the backup.
 */

let effects: EffectsBench;
let bench: WorkerBench;
let provider: TinyProvider;
let runner: JobRunner;
let reads: JobsBench;

beforeAll(async () => {
  effects = await EffectsBench.open();
  ({ bench, provider } = effects);
  runner = effects.newRunner();
  const { pool, store, clock, clientOf } = bench;
  reads = new JobsBench(bench, new RestoredPayment(pool, store, clock, quiet, clientOf));
});
beforeEach(async () => {
  await effects.reset();
  await bench.admin.query('TRUNCATE log_restores');
});
afterAll(() => {
  reads.stop();
  return effects.close();
});

/**
 * Simulates a base backup that was recovered to a point in time: the same server on another
 * timeline.
 */
const restore = async (): Promise<void> => {
  await bench.admin.query(`UPDATE log_identity SET incarnation = 'before'`);
  await requireOwnLog(bench.pool);
  // Makes the postponed reads due, as if enough time had passed that no call sent before the
  // restore can still arrive.
  await reads.lapse();
};

const readAll = (): Promise<number> => reads.round();

/** The numbers of payments and of accounts that are still to be read. */
const left = async () =>
  (
    await bench.rows(
      `SELECT count(*)::int AS payments, count(DISTINCT account_id)::int AS accounts
     FROM restore_reads`,
    )
  )[0];

const capturedPayment = async (): Promise<{ id: string; intentId: string }> => {
  const id = await bench.requestIntent();
  await effects.runAll(runner);
  const intentId = provider.intentOf(id)?.id ?? '';
  provider.attempt(intentId, 'captured');
  await effects.refresh(id);
  provider.asked.length = 0;
  return { id, intentId };
};

const ask = (id: string, requestId = 'rfr_1') =>
  bench.command(id, {
    type: 'RequestRefund',
    requestId,
    amountMinor: 500,
    reference: null,
    reason: null,
    at: bench.clock.now(),
  });

test('after a database restore, the worker sends no call for an account before the account’s payments with open or recent calls have been read from the provider', async () => {
  const { id: late, intentId } = await capturedPayment();
  const { id } = await capturedPayment();
  await ask(id);
  await restore();
  const forgotten = provider.refund(intentId, 300);
  expect(await effects.runAll(runner)).toBe(0);
  expect(provider.asked).toEqual([]);
  expect(await left()).toEqual({ payments: 2, accounts: 1 });

  expect(await readAll()).toBe(2);
  const payment = await bench.payment(late);
  expect(exists(payment) && payment.refunds).toMatchObject([{ refundId: forgotten.id }]);
  expect(await left()).toEqual({ payments: 0, accounts: 0 });
  expect(await effects.runAll(runner)).toBe(1);
  expect(provider.count('refund')).toBe(1);
});

test('after a database restore, reads of payments that fail block only the calls of the same account', async () => {
  const { id } = await capturedPayment();
  await ask(id);
  await restore();
  await bench.admin.query(
    `UPDATE jobs SET account_id = 'acc_other' WHERE kind = 'restore.payment' AND key <> $1`,
    [id],
  );
  provider.failNext('get', 'html', 4);
  const [due] = await reads.claim(1);
  if (due === undefined) throw new Error('a job is due');
  await reads.runner.run(due);
  expect(await effects.runAll(runner)).toBe(0);
  await reads.lapse();
  provider.reset();
  await readAll();
  expect(await effects.runAll(runner)).toBe(1);
});

test('the period lost in a database restore begins at the newest event in the restored log', async () => {
  await capturedPayment();
  const newestAt = bench.clock.now();
  bench.clock.advance(10 * MINUTE_MS);
  await restore();
  expect(await bench.rows('SELECT lost_since FROM log_restores')).toEqual([
    { lost_since: new Date(newestAt) },
  ]);
});

test('after a database restore, a repeated refund request waits for an operator when the restore may have lost the refund of the first request', async () => {
  const { id, intentId } = await capturedPayment();
  const madeAt = Math.ceil(msOf(bench.clock.now()) / 1_000) + 60;
  bench.clock.advance(10 * MINUTE_MS);
  await restore();
  await ask(id);
  const forgotten = provider.refund(intentId, 500, 'to_refund', madeAt);
  await readAll();
  await effects.runAll(runner);
  expect(provider.count('refund')).toBe(0);
  expect(await bench.rows('SELECT FROM log_restores WHERE began_at IS NULL')).toEqual([]);
  expect((await effects.jobs(id)).at(-1)).toMatchObject({ state: 'stuck' });
  expect(provider.refunds.get(intentId)).toEqual([forgotten]);
});

describe.each([
  'found after a database restore',
  'not read before the request',
  'not read before the request, whose job was interrupted',
])('a refund request for the amount of a refund whose events a restore has lost (%s)', (when) => {
  /**
   * Simulates that the database restore has lost a refund request and its refund, and that the
   * platform repeats the request.
   */
  const askedAgain = async () => {
    const { id, intentId } = await capturedPayment();
    const madeAt = Math.ceil(msOf(bench.clock.now()) / 1_000) + 60;
    bench.clock.advance(10 * MINUTE_MS);
    await restore();
    await endLostTime(bench.pool, bench.clock);
    const made = () => provider.refund(intentId, 500, 'to_refund', madeAt).id;
    const known = when.startsWith('found') ? made() : null;
    await readAll();
    const refundId = known ?? made();
    bench.clock.advance(10 * MINUTE_MS);
    await ask(id);
    if (when.endsWith('interrupted')) {
      await runner.claim(10);
      await effects.lapse();
    }
    await effects.runAll(runner);
    const job = (await effects.jobs(id)).at(-1);
    return { id, refundId, job };
  };

  const resolving = (): ResolveResult => {
    const { pool, store, clock, clientOf } = bench;
    return new ResolveResult(pool, store, clock, clientOf);
  };

  const resolve = (jobId: string, refundIs: 'ours' | 'others') =>
    resolving().apply(jobId, {
      id: newId('act'),
      reason: 'asked the merchant',
      actor: 'ops:ann',
      refundIs,
    });

  /** Simulates that no interrupted call can still arrive at the provider. */
  const waitUntilQuiet = () =>
    bench.admin.query(
      `UPDATE jobs SET updated_at = clock_timestamp() - interval '20 minutes'
        WHERE state = 'stuck'`,
    );

  const refundsOf = async (id: string): Promise<readonly Refund[]> => {
    const payment = await bench.payment(id);
    return exists(payment) ? payment.refunds : [];
  };

  test('is not sent before an operator has decided whether the found refund is the requested refund', async () => {
    const { refundId, job } = await askedAgain();
    expect(provider.count('refund')).toBe(0);
    expect(job).toMatchObject({
      state: 'stuck',
      note: `${refundId} has the same amount, and was made in the period whose events a database restore lost`,
    });
  });

  test('is never sent when an operator declares that the found refund is the requested refund', async () => {
    const { id, refundId, job } = await askedAgain();
    await waitUntilQuiet();
    expect(await resolve(job?.jobId ?? '', 'ours')).toMatchObject({ outcome: 'made' });
    await effects.runAll(runner);
    expect(provider.count('refund')).toBe(0);
    const refunds = await refundsOf(id);
    expect(refunds).toHaveLength(2);
    expect(refunds).toContainEqual(expect.objectContaining({ refundId, requestId: null }));
    expect(refunds).toContainEqual(
      expect.objectContaining({ status: 'rejected', requestId: 'rfr_1' }),
    );
    expect(await bench.payment(id)).toMatchObject({ rejectedRefunds: [], unknown: [] });
  });

  test('is sent once when an operator declares that the found refund is a different refund', async () => {
    const { id, refundId, job } = await askedAgain();
    await waitUntilQuiet();
    expect(await resolve(job?.jobId ?? '', 'others')).toMatchObject({ outcome: 'others' });
    await effects.runAll(runner);
    expect(provider.count('refund')).toBe(1);
    const refunds = await refundsOf(id);
    expect(refunds).toHaveLength(3);
    expect(refunds).toContainEqual(expect.objectContaining({ refundId, requestId: null }));
    expect(refunds).toContainEqual(
      expect.objectContaining({ status: 'rejected', requestId: 'rfr_1' }),
    );
    expect(refunds.at(-1)).toMatchObject({ status: 'to_refund', amountMinor: 500 });
    expect((await effects.jobs(id)).every(({ state }) => state === 'done')).toBe(true);
  });

  test('is requested again with an id that is derived from the id of the action', async () => {
    const { job } = await askedAgain();
    await waitUntilQuiet();
    const order = { id: 'act_again', refundIs: 'others' } as const;
    const { commands } = await resolving().preview(job?.jobId ?? '', order);
    expect(commands).toContainEqual(
      expect.objectContaining({ type: 'RequestRefund', requestId: 'rfr_again' }),
    );
  });

  if (when.endsWith('interrupted')) {
    test('is resolved only when the interrupted call can no longer arrive at the provider', async () => {
      const { job } = await askedAgain();
      for (const whose of ['ours', 'others'] as const) {
        await expect(resolve(job?.jobId ?? '', whose)).rejects.toMatchObject({
          code: 'may_still_arrive',
        });
      }
    });
  }
});

test('after a database restore, a payment whose intent the provider no longer has counts as read', async () => {
  const { id, intentId } = await capturedPayment();
  await restore();
  provider.intents.delete(intentId);
  await readAll();
  expect(await left()).toMatchObject({ payments: 0 });
  expect((await effects.jobs(id)).every(({ state }) => state === 'done')).toBe(true);
});

test('after a database restore, a payment that the provider never returns blocks only the calls of that payment, until an operator decides', async () => {
  const { id } = await capturedPayment();
  const { id: other } = await capturedPayment();
  await ask(id);
  await ask(other);
  await restore();
  provider.failNext('get', 'refuse422');
  await bench.admin.query(
    `UPDATE jobs SET held_until = clock_timestamp() + interval '1 minute'
      WHERE kind = 'restore.payment' AND key <> $1`,
    [id],
  );
  await readAll();
  await reads.lapse();
  await readAll();
  expect(await left()).toEqual({ payments: 0, accounts: 0 });
  await effects.runAll(runner);
  expect((await effects.jobs(id)).at(-1)).toMatchObject({
    state: 'stuck',
    note: expect.stringContaining('not read since a database restore') as string,
  });
  expect((await effects.jobs(other)).at(-1)).toMatchObject({ state: 'done' });
});

test('after a database restore, a read of a payment that one worker left unfinished is repeated by another worker', async () => {
  const { id } = await capturedPayment();
  await ask(id);
  await restore();
  expect(await reads.claim()).toMatchObject([{ key: id, found: 'ready' }]);
  expect(await readAll()).toBe(0);
  expect(await effects.runAll(runner)).toBe(0);
  await reads.lapse();
  expect(await readAll()).toBe(1);
  expect(await effects.runAll(runner)).toBe(1);
});

test('after a second database restore, a payment is read again even if a read was in progress at the restore', async () => {
  const { id } = await capturedPayment();
  await ask(id);
  await restore();
  const [begun] = await reads.claim();
  await restore();
  if (begun) await reads.runner.run(begun);
  expect(await left()).toEqual({ payments: 1, accounts: 1 });
  expect(await effects.runAll(runner)).toBe(0);
});

test('after a database failover, each new connection is checked before it is used', async () => {
  const { id } = await capturedPayment();
  await ask(id);
  await bench.admin.query(`UPDATE log_identity SET incarnation = 'before'`);
  const pool = createPool(
    {
      applicationName: 'failed-over',
      connectionString: bench.database.urlFor('worker'),
      max: 1,
      verify: new ConnectionCheck().verify,
    },
    () => undefined,
  );
  try {
    const { rows } = await pool.query('SELECT payment_id FROM restore_reads');
    expect(rows).toEqual([{ payment_id: id }]);
    await bench.admin.query(`UPDATE log_identity SET system_identifier = 'another'`);
    // An open connection is not checked again. This query closes the connection, so that a new
    // connection is checked.
    await expect(requireOwnLog(pool)).rejects.toBeInstanceOf(ForeignLog);
    await expect(pool.query('SELECT 1')).rejects.toBeInstanceOf(ForeignLog);
  } finally {
    await pool.end();
    await bench.admin.query(
      'UPDATE log_identity SET system_identifier = (SELECT system_identifier::text FROM ' +
        'pg_control_system())',
    );
  }
});

test('a worker that starts on an event log that was not restored does not read the payments again', async () => {
  await capturedPayment();
  await requireOwnLog(bench.pool);
  await requireOwnLog(bench.pool);
  expect(await left()).toEqual({ payments: 0, accounts: 0 });
});
