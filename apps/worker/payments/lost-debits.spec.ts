import type { JobRunner } from '#jobs';
import { specPool } from '#testing';
import { requireOwnLog } from '#log';
import type { Pool } from 'pg';
import { DAY_MS, MINUTE_MS, newId, randomText } from '#kernel';
import { ResolveResult } from '#operations';
import { ProviderAccounts, ProviderBudget } from '#psp';
import { HostedAdapter } from '#psp-hosted';
import type { TinyProvider } from '../tiny-provider.fixture.js';
import { ACCOUNT, quiet, specSecretBox, type WorkerBench } from '../worker.fixture.js';
import { JobsBench } from '../jobs.fixture.js';
import { BackgroundReads } from '../reads/background-reads.js';
import { EffectsBench } from './calls.fixture.js';
import { LostDebitList } from './lost-debit-list.js';

/**
 * After the restore of an older event log, the provider has debits whose orders the log has lost.
 */

let effects: EffectsBench;
let bench: WorkerBench;
let provider: TinyProvider;
let runner: JobRunner;
let reads: JobsBench;
let consolePool: Pool;
let opsPool: Pool;
/** The page size of the provider's list. */
let pageLimit = 100;

beforeAll(async () => {
  effects = await EffectsBench.open();
  ({ bench, provider } = effects);
  runner = effects.newRunner();
  [consolePool, opsPool] = (['admin', 'ops'] as const).map((app) =>
    specPool(bench.database.urlFor(app), 2),
  ) as [Pool, Pool];
  const { pool, clock, transport } = bench;
  const { payouts } = new HostedAdapter({
    send: (key, request, decode) =>
      transport.send(key, { ...request, query: { ...request.query, limit: pageLimit } }, decode),
  }).client('stest_spec');
  reads = new JobsBench(
    bench,
    new LostDebitList(pool, clock, quiet, () => Promise.resolve(payouts)),
  );
});
beforeEach(async () => {
  await effects.reset();
  provider.intents.clear();
  provider.attempts.clear();
  pageLimit = 100;
  await bench.admin.query(`TRUNCATE log_restores, lost_debits, provider_accounts CASCADE`);
  await bench.admin.query(
    `INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed)
     VALUES ($1, 'plat_1', 'mer_1', 'test', '\\x00')`,
    [ACCOUNT],
  );
});
afterAll(async () => {
  reads.stop();
  await Promise.all([consolePool.end(), opsPool.end()]);
  await effects.close();
});

const newMandate = (): string => `sepa_${randomText(24)}`;

/**
 * Places an order by mandate and runs the worker, which sends the debit unless the debit must wait.
 */
const place = async (mandate: string, amountMinor?: number): Promise<string> => {
  const id = await bench.requestIntent(mandate, amountMinor);
  await effects.runAll(runner);
  return id;
};

const attemptOf = (id: string): string | undefined =>
  provider.attempts.get(provider.intentOf(id)?.id ?? '')?.[0]?.id;

/** Deletes the order's rows, as if a backup from before the order was restored. */
const forget = async (id: string): Promise<void> => {
  await bench.admin.query('DELETE FROM events WHERE stream_id = $1', [id]);
  await bench.admin.query('DELETE FROM jobs WHERE subject_id = $1', [id]);
  await bench.admin.query('DELETE FROM reservations WHERE holder = $1', [id]);
};

const restore = async (): Promise<void> => {
  await bench.admin.query(`UPDATE log_identity SET incarnation = 'before'`);
  await requireOwnLog(bench.pool);
  await bench.admin.query(`DELETE FROM jobs WHERE kind = 'restore.payment'`);
  // Makes the postponed reads due, as if enough time had passed that no call sent before the
  // restore can still arrive.
  await reads.lapse();
};

/**
 * Debits mandates, then restores a backup from before the debits; returns the provider's payments.
 */
const lose = async (...mandates: readonly string[]): Promise<readonly (string | undefined)[]> => {
  await place(newMandate());
  bench.clock.advance(10 * MINUTE_MS);
  const ids: string[] = [];
  for (const mandate of mandates) ids.push(await place(mandate));
  const attempts = ids.map((id) => attemptOf(id));
  for (const id of ids) await forget(id);
  bench.clock.advance(10 * MINUTE_MS);
  await restore();
  provider.asked.length = 0;
  return attempts;
};

const readAll = async (): Promise<number> => {
  for (let pages = 0; ; pages += 1) {
    const [page] = await reads.claim(1);
    if (page === undefined) return pages;
    await reads.runner.run(page);
  }
};

/** The number of provider accounts whose list of debits is still to be read after the restore. */
const left = async (): Promise<number> =>
  (await bench.rows(`SELECT FROM jobs WHERE kind = 'restore.debits'`)).length;

const lastJob = async (id: string) => (await effects.jobs(id)).at(-1);

/** Resolves a call as the console or the command line does, with the same database permissions. */
const resolve = async (id: string, refundIs: 'ours' | 'others') => {
  const { store, clock, clientOf } = bench;
  const pool = refundIs === 'ours' ? opsPool : consolePool;
  const order = { id: newId('act'), reason: 'asked the platform', actor: 'ops:ann', refundIs };
  const jobId = (await lastJob(id))?.jobId ?? '';
  const resolved = await new ResolveResult(pool, store, clock, clientOf).apply(jobId, order);
  await effects.runAll(runner);
  return resolved;
};

test('after a database restore, debits of an account wait until the payments made since the lost period began have been listed', async () => {
  await lose();
  const id = await place(newMandate());
  expect(provider.count('debit')).toBe(0);
  expect(await lastJob(id)).toMatchObject({
    state: 'waiting',
    note: 'waits until the payments of the period whose events a database restore lost have been listed',
  });
  await readAll();
  bench.clock.advance(MINUTE_MS);
  await effects.runAll(runner);
  expect(provider.count('debit')).toBe(1);
  expect(await bench.payment(id)).toMatchObject({ status: 'processing' });
});

test('after a database restore, a debit with the mandate and amount of a lost debit waits for an operator', async () => {
  const mandate = newMandate();
  const [lost] = await lose(mandate);
  await readAll();
  const id = await place(mandate);
  expect(provider.count('debit')).toBe(0);
  expect(await lastJob(id)).toMatchObject({
    state: 'stuck',
    note: expect.stringContaining(`payment ${lost} debited this mandate`) as string,
  });
});

test('after a database restore, a debit that an operator declares different from the lost debit is sent, and the next debit with the same mandate and amount waits for an operator', async () => {
  const mandate = newMandate();
  const [lost] = await lose(mandate);
  await readAll();
  const id = await place(mandate);
  expect(await resolve(id, 'others')).toMatchObject({ outcome: 'others', lostDebit: lost });
  expect(provider.count('debit')).toBe(1);
  expect(await bench.payment(id)).toMatchObject({ status: 'processing' });
  expect(await lastJob(await place(mandate))).toMatchObject({ state: 'stuck' });
  expect(provider.count('debit')).toBe(1);
});

test('after a database restore, a debit that an operator declares to be the lost debit is never sent, and the debit of the next order waits for an operator', async () => {
  const mandate = newMandate();
  const [lost] = await lose(mandate);
  await readAll();
  const id = await place(mandate);
  expect(await resolve(id, 'ours')).toMatchObject({ outcome: 'made', lostDebit: lost });
  expect(provider.count('debit')).toBe(0);
  expect(await bench.payment(id)).toMatchObject({ status: 'open', debit: 'rejected' });
  const [rejected] = await bench.rows<{ data: object }>(
    `SELECT data FROM events WHERE stream_id = $1 AND type = 'DebitRejected'`,
    id,
  );
  expect(rejected?.data).toMatchObject({
    reason: `${lost} is this debit: the provider made it in the period whose events a database restore lost`,
  });
  expect(await lastJob(await place(mandate))).toMatchObject({ state: 'stuck' });
  expect(provider.count('debit')).toBe(0);
});

test('after a database restore, debits with the mandate and amount of a lost debit need an operator for three weeks only, so that next month’s debit is sent', async () => {
  const mandate = newMandate();
  await lose(mandate);
  await readAll();
  bench.clock.advance(20 * DAY_MS);
  expect(await lastJob(await place(mandate))).toMatchObject({ state: 'stuck' });
  bench.clock.advance(2 * DAY_MS);
  await place(mandate);
  expect(provider.count('debit')).toBe(1);
});

test('after a database restore, the worker reads the list of payments from the first page again if another restore happens meanwhile', async () => {
  const mandates = [newMandate(), newMandate(), newMandate()];
  await lose(...mandates);
  pageLimit = 2;
  const [first] = await reads.claim(1);
  if (first) await reads.runner.run(first);
  const [second] = await reads.claim(1);
  await restore();
  if (second) await reads.runner.run(second);
  expect(await readAll()).toBe(2);
});

test('after a database restore, the worker reads the list of payments only when no call sent before the restore can still arrive', async () => {
  await lose();
  await bench.admin.query(`UPDATE log_identity SET incarnation = 'before'`);
  await requireOwnLog(bench.pool);
  expect(await reads.claim(1)).toEqual([]);
  expect(await left()).toBe(1);
});

test('after a database restore, a debit that waits for an operator’s decision is not sent by a retry', async () => {
  const mandate = newMandate();
  await lose(mandate);
  await readAll();
  const id = await place(mandate);
  await bench.admin.query(
    `UPDATE jobs SET state = 'waiting', due_at = 'epoch' WHERE subject_id = $1 AND state = 'stuck'`,
    [id],
  );
  await effects.runAll(runner);
  expect(await lastJob(id)).toMatchObject({ state: 'stuck' });
  expect(provider.count('debit')).toBe(0);
});

test('after a database restore, the worker sends a debit that differs from the lost debit in mandate or amount', async () => {
  const mandate = newMandate();
  await lose(mandate);
  await readAll();
  await place(newMandate());
  await place(mandate, 2_000);
  expect(provider.count('debit')).toBe(2);
});

test('after a database restore, a failed debit and a debit that is in the event log delay no new debit', async () => {
  const [refused, known] = [newMandate(), newMandate()];
  await place(newMandate());
  bench.clock.advance(10 * MINUTE_MS);
  const [lost, kept] = [await place(refused), await place(known)];
  const attempt = provider.attempts.get(provider.intentOf(lost)?.id ?? '')?.[0];
  if (attempt) attempt.status = 'refused';
  await forget(lost);
  await restore();
  expect(await bench.payment(kept)).toMatchObject({ status: 'processing' });
  await readAll();
  const debits = provider.count('debit');
  await place(refused);
  await place(known);
  expect(provider.count('debit')).toBe(debits + 2);
});

test('after a database restore, a debit made before the lost period began delays no new debit', async () => {
  const mandate = newMandate();
  const old = await place(mandate);
  bench.clock.advance(10 * MINUTE_MS);
  await place(newMandate());
  await forget(old);
  await lose();
  await readAll();
  await place(mandate);
  expect(provider.count('debit')).toBe(1);
});

test('after a database restore, the worker reads the list of an account’s payments, one page per run', async () => {
  const mandates = [newMandate(), newMandate(), newMandate()];
  await lose(...mandates);
  pageLimit = 2;
  expect(await readAll()).toBe(2);
  for (const mandate of mandates) await place(mandate);
  expect(provider.count('debit')).toBe(0);
});

test('after a database restore, the worker reads the list of payments once, and then sends debits without reading it again', async () => {
  await lose(newMandate());
  await readAll();
  expect(await left()).toBe(0);
  provider.asked.length = 0;
  await place(newMandate());
  await readAll();
  expect(provider.asked.filter((verb) => verb !== 'attempts')).toEqual(['create', 'get', 'debit']);
});

test('after a database restore, a list of payments that cannot be read delays only the debits of its account', async () => {
  await lose();
  await bench.admin.query(
    `UPDATE jobs SET key = 'acc_other', account_id = 'acc_other' WHERE kind = 'restore.debits'`,
  );
  provider.failNext('debits', 'html', 4);
  await readAll();
  expect(await left()).toBe(1);
  await place(newMandate());
  expect(provider.count('debit')).toBe(1);
});

test('after a database restore, the worker does not read the list of payments of a provider account that was already disabled', async () => {
  await bench.admin.query('UPDATE provider_accounts SET disabled_at = now()');
  await lose();
  expect(await left()).toBe(0);
});

test('after a database restore, debits of a provider account whose registration was not finished in the backup wait until it is finished and the list has been read', async () => {
  const mandate = newMandate();
  await lose(mandate);
  const { pool, clock, transport } = bench;
  const accounts = new ProviderAccounts({
    pool,
    adapters: [new HostedAdapter(transport)],
    secretBox: specSecretBox,
    publicWebhookUrl: 'https://127.0.0.1',
  });
  const background = new BackgroundReads(accounts, new ProviderBudget(pool, 100));
  const jobs = new JobsBench(
    bench,
    new LostDebitList(
      pool,
      clock,
      quiet,
      async (id) => (await background.find(id))?.payouts ?? null,
    ),
  );
  await jobs.round();
  expect(await jobs.table.open()).toEqual([]);
  const seal = (secret: string, field: string): Buffer =>
    Buffer.from(specSecretBox.seal(secret, `${ACCOUNT}.${field}`), 'utf8');
  await bench.admin.query(
    `UPDATE provider_accounts
        SET api_key_sealed = $2, webhook_endpoint_id = 'we_1', webhook_secret_sealed = $3
      WHERE id = $1`,
    [ACCOUNT, seal('stest_spec', 'api_key'), seal('secret', 'webhook_secret')],
  );
  const id = await place(mandate);
  expect(provider.count('debit')).toBe(0);
  expect(await lastJob(id)).toMatchObject({ state: 'waiting' });
  bench.clock.advance(10 * MINUTE_MS);
  await jobs.round();
  jobs.stop();
  expect(await left()).toBe(0);
  await effects.runAll(runner);
  expect(await lastJob(id)).toMatchObject({ state: 'stuck' });
  expect(provider.count('debit')).toBe(0);
});

test('after a database restore, a provider account with a rejected key raises no alert, and its debits wait until the list can be read', async () => {
  await lose();
  provider.failNext('debits', 'refuse401');
  await readAll();
  expect(await reads.table.open()).toEqual([]);
  const id = await place(newMandate());
  expect(provider.count('debit')).toBe(0);
  expect(await lastJob(id)).toMatchObject({ state: 'waiting' });
  bench.clock.advance(10 * MINUTE_MS);
  await readAll();
  expect(await left()).toBe(0);
  await effects.runAll(runner);
  expect(provider.count('debit')).toBe(1);
});
