import { DAY_MS, HOUR_MS, plusMs } from '#kernel';
import { ERASE_DETAILS_DEADLINE } from '#onboarding';
import { ORCHESTRATION } from '#orchestrator';
import { MerchantBench } from '../merchants/merchants.fixture.js';
import { resolveAbsent } from '../merchants/resolve-absent.js';
import { detailsErasure } from '../merchants/details-erasure.js';
import { JobsBench } from '../jobs.fixture.js';
import { sagaDeadlines } from './saga-deadlines.js';

let bench: MerchantBench;

beforeAll(async () => {
  bench = await MerchantBench.open({ sagas: true });
});
beforeEach(async () => {
  bench.partner.reset();
  await bench.worker.admin.query('TRUNCATE jobs');
});
afterAll(() => bench.close());

const deadlinesOf = (key: string): Promise<readonly { kind: string; due_at: Date }[]> =>
  bench.worker.rows('SELECT kind, due_at FROM jobs WHERE key = $1 ORDER BY kind', key);

/** Runs the due onboarding jobs of the worker. */
const eraseWhenDue = async (): Promise<void> => {
  const jobs = new JobsBench(bench.worker, detailsErasure(bench.worker.store, bench.details));
  await jobs.round();
  jobs.stop();
};

const detailsOf = (id: string): Promise<readonly object[]> =>
  bench.worker.rows('SELECT ref FROM merchant_details WHERE merchant_id = $1', id);

test('a merchant draft is registered, gets a signing link, has its status polled, and takes orders with the company’s keys', async () => {
  const id = await bench.request({ firstTerminal: 'Counter' });
  await bench.runAll();
  expect(await bench.merchant(id)).toMatchObject({ status: 'incomplete', linkOffered: true });
  expect((await deadlinesOf(id)).map(({ kind }) => kind)).toEqual([
    ERASE_DETAILS_DEADLINE,
    'merchant.requirements',
    'onboarding.status_overdue',
  ]);
  const companyId = bench.partner.companies()[0]?.id ?? '';
  for (const status of ['in_review', 'validated', 'available'] as const) {
    await bench.follow({ id, companyId }, status);
    await bench.runAll();
  }
  expect(await bench.merchant(id)).toMatchObject({
    status: 'available',
    ordersEnabled: true,
    terminals: [{ name: 'Counter' }],
  });
  expect((await deadlinesOf(id)).map(({ kind }) => kind)).not.toContain(
    'onboarding.status_overdue',
  );
  expect(bench.partner.count('order')).toBe(1);
});

test('a merchant’s details are stored until the provider has received them', async () => {
  const id = await bench.request();
  expect(await detailsOf(id)).toHaveLength(1);
  await bench.runAll();
  expect(await detailsOf(id)).toHaveLength(1);
  await eraseWhenDue();
  expect(await detailsOf(id)).toEqual([]);
  expect((await deadlinesOf(id)).map(({ kind }) => kind)).not.toContain(ERASE_DETAILS_DEADLINE);
  const at = bench.worker.clock.now();
  const detailsRef = await bench.details.keep(id, bench.body());
  await bench.command(id, { type: 'ReviseDetails', detailsRef, fields: ['payoutAccount'], at });
  await eraseWhenDue();
  expect(await detailsOf(id)).toEqual([]);
});

test('a merchant’s details are erased on request', async () => {
  const id = await bench.request();
  await bench.command(id, { type: 'ErasePersonalData', at: bench.worker.clock.now() });
  await eraseWhenDue();
  expect(await detailsOf(id)).toEqual([]);
});

test('the company of a registration with an unknown result is searched for immediately', async () => {
  bench.partner.failNext('create', 'reset');
  const id = await bench.request();
  await bench.runAll();
  expect(await deadlinesOf(id)).toContainEqual({
    kind: 'merchant.company',
    due_at: new Date(bench.worker.clock.now()),
  });
});

test('a company whose status has not changed for a week is reported to operators, and read', async () => {
  const { id, companyId } = await bench.registered();
  await bench.follow({ id, companyId }, 'in_review');
  const { clock } = bench.worker;
  const dueAt = plusMs(clock.now(), 7 * DAY_MS);
  expect(await deadlinesOf(id)).toContainEqual({
    kind: 'onboarding.status_overdue',
    due_at: new Date(dueAt),
  });
  clock.advance(7 * DAY_MS);
  const jobs = new JobsBench(
    bench.worker,
    ...sagaDeadlines(bench.worker.store, ORCHESTRATION.sagas),
  );
  await jobs.round();
  jobs.stop();
  expect(await bench.merchant(id)).toMatchObject({ silent: true });
  expect(await deadlinesOf(id)).toEqual(
    expect.arrayContaining([
      { kind: 'merchant.company', due_at: new Date(clock.now()) },
      { kind: 'onboarding.status_overdue', due_at: new Date(plusMs(clock.now(), 7 * DAY_MS)) },
    ]),
  );
});

test('a registration whose details were erased and whose company an operator confirms absent ends, and is not reported again', async () => {
  bench.partner.failNext('create', 'reset_before');
  const id = await bench.request();
  await bench.runAll();
  const { pool, store, clock } = bench.worker;
  const at = clock.now();
  await bench.command(id, { type: 'ReportSilence', status: 'requested', at });
  await bench.command(id, { type: 'ErasePersonalData', at });
  const resolution = {
    merchantId: id,
    call: 'create_company',
    reason: 'no',
    actor: 'user:ops',
  } as const;
  await resolveAbsent({ pool, store }, resolution, at);
  expect(await bench.merchant(id)).toMatchObject({
    status: 'rejected',
    reason: 'details_erased',
    unknown: [],
    silent: false,
  });
  expect((await deadlinesOf(id)).map(({ kind }) => kind)).not.toContain(
    'onboarding.status_overdue',
  );
});

test('a registration without a result is reported to operators after an hour', async () => {
  const id = await bench.request();
  const dueAt = plusMs(bench.worker.clock.now(), HOUR_MS);
  expect(await deadlinesOf(id)).toEqual([
    { kind: 'onboarding.status_overdue', due_at: new Date(dueAt) },
  ]);
});
