import { DAY_MS, HOUR_MS, MINUTE_MS, plusMs, randomText, SECOND_MS } from '#kernel';
import { JobsBench } from '../jobs.fixture.js';
import { quiet } from '../worker.fixture.js';
import { MerchantReader } from './merchant-reader.js';
import { MerchantBench } from './merchants.fixture.js';
import { overdueReads } from './overdue-reads.js';
import type { Refusal, TinyPartner } from './tiny-partner.fixture.js';
import { UnknownCalls } from './unknown-calls.js';

let bench: MerchantBench;
let partner: TinyPartner;
let jobs: JobsBench;

beforeAll(async () => {
  bench = await MerchantBench.open();
  ({ partner } = bench);
  const { pool, store, clock } = bench.worker;
  const reader = new MerchantReader(store, clock, quiet, bench.clients, new UnknownCalls(pool));
  jobs = new JobsBench(bench.worker, ...reader.kinds());
});
beforeEach(async () => {
  partner.reset();
  await bench.worker.admin.query('TRUNCATE jobs');
});
afterAll(() => {
  jobs.stop();
  return bench.close();
});

type Read = 'company' | 'requirements' | 'terminals';

const readNow = async (key: string, what: Read): Promise<void> => {
  const dueAt = bench.worker.clock.now();
  await bench.worker.store.step(bench.worker.metadata(key), (step) =>
    step.setDeadline({ kind: `merchant.${what}`, key, dueAt }),
  );
  await runDue();
};

const runDue = async (): Promise<void> => {
  await jobs.round();
};

const planned = (key: string): Promise<readonly { kind: string; due_at: Date; tries: number }[]> =>
  bench.worker.rows(
    `SELECT kind, due_at, coalesce((progress ->> 'tries')::int, 0) AS tries
       FROM jobs WHERE key = $1`,
    key,
  );

test('a read of a company records the company’s status', async () => {
  const { id, companyId } = await bench.registered();
  bench.worker.clock.advance(HOUR_MS);
  partner.model.change(companyId, 'in_review');
  await readNow(id, 'company');
  expect(await bench.merchant(id)).toMatchObject({ status: 'in_review' });
  expect(await planned(id)).toEqual([]);
});

describe('while our clock is ahead of the provider’s, a history row that seems older than our last read', () => {
  const AHEAD_MS = 36 * HOUR_MS;

  /**
   * Creates a company that is read while our clock is ahead, and whose contract then ends; returns
   * the merchant's id.
   */
  const endedAfterReading = async (): Promise<string> => {
    const named = await bench.registered();
    await bench.follow(named, 'available');
    bench.skew(AHEAD_MS);
    await readNow(named.id, 'company');
    partner.model.change(named.companyId, 'closed');
    return named.id;
  };

  test('causes an immediate read of the company while our clock is still ahead', async () => {
    const id = await endedAfterReading();
    bench.worker.clock.advance(MINUTE_MS);
    await (await bench.newPoller()).roundNow();
    await runDue();
    expect(await bench.merchant(id)).toMatchObject({ status: 'closed' });
    bench.skew(0);
  });

  test('causes the company to be read again after the clock, which had been ahead and was corrected, passes the time of the last read', async () => {
    const id = await endedAfterReading();
    bench.skew(0);
    await (await bench.newPoller()).roundNow();
    await runDue();
    expect(await bench.merchant(id)).toMatchObject({ status: 'available' });
    bench.worker.clock.advance(AHEAD_MS + MINUTE_MS);
    await runDue();
    expect(await bench.merchant(id)).toMatchObject({ status: 'closed' });
    expect(await planned(id)).toEqual([]);
  });

  test('causes no read of the company if the row’s day is long past, e.g. after an outage of our service', async () => {
    const { id, companyId } = await bench.registered();
    const poller = await bench.newPoller();
    partner.model.change(companyId, 'in_review');
    bench.worker.clock.advance(4 * DAY_MS);
    partner.model.change(companyId, 'validated');
    await readNow(id, 'company');
    await poller.roundNow();
    expect(await bench.story(id)).toContain('EarlierStatusObserved');
    expect(await planned(id)).toEqual([]);
  });
});

test('a failed read of a company is retried after a minute if the provider did not respond, and with backoff if it refused', async () => {
  const { id, companyId } = await bench.registered();
  partner.failNext('read', 'status_500');
  await readNow(id, 'company');
  const { clock } = bench.worker;
  expect(await planned(id)).toMatchObject([
    { due_at: new Date(plusMs(clock.now(), MINUTE_MS)), tries: 0 },
  ]);
  partner.failNext('read', { refuse: { status: 404, type: 'not-found' } }, 2);
  clock.advance(MINUTE_MS);
  await runDue();
  clock.advance(HOUR_MS);
  await runDue();
  expect(await planned(id)).toMatchObject([
    { due_at: new Date(plusMs(clock.now(), 2 * HOUR_MS)), tries: 2 },
  ]);
  partner.model.change(companyId, 'in_review');
  clock.advance(2 * HOUR_MS);
  await runDue();
  expect(await bench.merchant(id)).toMatchObject({ status: 'in_review' });
});

/** The values of the metric of overdue reads of companies, in seconds. */
const overdue = () => overdueReads(bench.worker.pool, bench.worker.clock.now(), 'merchant.company');

/** Adds the merchant to the list, as the projection does. */
const list = (merchantId: string, mode: 'test' | 'live') =>
  bench.worker.admin.query(
    `INSERT INTO merchant_list (merchant_id, platform_id, reference, mode, status, orders_enabled,
                                drafted_at, version)
     VALUES ($1, 'plat_1', 'r', $2, 'available', true, now(), 1)`,
    [merchantId, mode],
  );

/** Refuses the reads of a company for seven hours, and runs each read that is due. */
const refuseFor7Hours = async (id: string, refuse: Refusal): Promise<void> => {
  partner.failNext('read', { refuse }, 3);
  await readNow(id, 'company');
  for (let hour = 0; hour < 7; hour += 1) {
    bench.worker.clock.advance(HOUR_MS);
    if (hour < 6) await runDue();
  }
};

test('a read of a company that the provider refuses for seven hours is overdue since it was first due', async () => {
  const { id } = await bench.registered();
  await list(id, 'test');
  await refuseFor7Hours(id, { status: 401, type: 'unauthorized' });
  expect(await overdue()).toEqual({ test: (7 * HOUR_MS) / SECOND_MS, live: 0 });
  await runDue();
  expect(await planned(id)).toEqual([]);
  expect(await overdue()).toEqual({ test: 0, live: 0 });
});

test.each([
  [404, 'not-found'],
  [409, 'not_allowed'],
])('a read of a company that the provider refuses by %i is not overdue', async (status, type) => {
  const { id } = await bench.registered();
  await list(id, 'test');
  await refuseFor7Hours(id, { status, type });
  expect(await planned(id)).toMatchObject([{ tries: 3 }]);
  expect(await overdue()).toEqual({ test: 0, live: 0 });
});

test('the missing requirements of a company are read until the contract is signed', async () => {
  const named = await bench.registered();
  await readNow(named.id, 'requirements');
  expect(await bench.merchant(named.id)).toMatchObject({
    requirements: {
      missing: [
        'payoutAccount.iban',
        'documents.registration_extract',
        'documents.bank_account_proof',
      ],
    },
  });
  await bench.follow(named, 'in_review');
  await readNow(named.id, 'requirements');
  expect(partner.count('progress')).toBe(1);
});

test('a merchant’s terminals are read daily until the last terminal is activated, then weekly, because the merchant can return it', async () => {
  const named = await bench.registered();
  await bench.follow(named, 'validated');
  const { clock } = bench.worker;
  await bench.command(named.id, {
    type: 'RequestTerminal',
    requestId: 'req_1',
    name: 'Counter',
    by: 'platform',
    at: clock.now(),
  });
  await bench.runAll();
  await runDue();
  const [terminal] = partner.model.company(named.companyId).terminals;
  expect(terminal).toMatchObject({ status: 'pendingOrder' });
  const way = [
    ['shipped', 'shipped'],
    ['delivred', 'delivered'],
    ['activated', 'activated'],
  ] as const;
  for (const [atProvider, status] of way) {
    expect(await planned(named.id)).toMatchObject([
      { kind: 'merchant.terminals', due_at: new Date(plusMs(clock.now(), DAY_MS)) },
    ]);
    if (terminal) terminal.status = atProvider;
    clock.advance(DAY_MS);
    await runDue();
    expect(await bench.merchant(named.id)).toMatchObject({ terminals: [{ status }] });
  }
  expect(await planned(named.id)).toMatchObject([
    { kind: 'merchant.terminals', due_at: new Date(plusMs(clock.now(), 7 * DAY_MS)) },
  ]);
  if (terminal) terminal.status = 'pendingPosReturn';
  clock.advance(7 * DAY_MS);
  await runDue();
  expect(await bench.merchant(named.id)).toMatchObject({
    terminals: [{ status: 'return_pending' }],
  });
  if (terminal) terminal.status = 'deactivated';
  clock.advance(DAY_MS);
  await runDue();
  expect(await bench.merchant(named.id)).toMatchObject({ terminals: [{ status: 'deactivated' }] });
  expect(await planned(named.id)).toEqual([]);
});

test('a merchant’s activated terminals are read at once when the contract is about to end, and daily until its end', async () => {
  const named = await bench.registered();
  await bench.follow(named, 'available');
  const { clock } = bench.worker;
  const activated = {
    terminalId: `term_${randomText(24)}`,
    name: 'Counter',
    status: 'activated',
    carrierName: null,
    trackingUrl: null,
  };
  const at = clock.now();
  const command = { type: 'ObserveTerminals', terminals: [activated], readAt: at, at } as const;
  await bench.command(named.id, command);
  partner.model.company(named.companyId).terminals.push({
    id: activated.terminalId,
    name: activated.name,
    status: 'activated',
  });
  await bench.follow(named, 'closing');
  const isDueAfter = async (ms: number): Promise<void> => {
    expect((await planned(named.id)).filter(({ kind }) => kind === 'merchant.terminals')).toEqual([
      expect.objectContaining({ due_at: new Date(plusMs(clock.now(), ms)) }),
    ]);
  };
  await isDueAfter(0);
  await runDue();
  await isDueAfter(DAY_MS);
  await bench.follow(named, 'closed');
  await isDueAfter(0);
  await runDue();
  await isDueAfter(7 * DAY_MS);
});

test('a read of a merchant whose company creation has an unknown result restarts the search for the company, even after the last retry', async () => {
  partner.failNext('create', 'reset');
  partner.failNext('history', 'status_500', 21);
  const id = await bench.request();
  for (let hour = 0; hour < 60; hour += 1) await bench.retryLater(HOUR_MS);
  expect(await bench.jobs(id)).toMatchObject([{ state: 'stuck' }]);
  await readNow(id, 'company');
  await bench.runAll();
  expect(await bench.merchant(id)).toMatchObject({ status: 'incomplete' });
  expect(partner.count('create')).toBe(1);
});

test('a scheduled read of a merchant is dropped if the merchant’s status no longer requires the read', async () => {
  const id = await bench.request();
  await readNow(id, 'terminals');
  await readNow('mer_unknown', 'company');
  expect(await bench.worker.rows('SELECT * FROM jobs WHERE subject_id IS NULL')).toEqual([]);
});

test('the read of a merchant whose mode has no partner key is postponed, and counts as overdue in its mode only', async () => {
  const { id } = await bench.registered();
  await list(id, 'test');
  await list('mer_live', 'live');
  const { pool, store, clock } = bench.worker;
  const keyless = new MerchantReader(
    store,
    clock,
    quiet,
    { of: () => null },
    new UnknownCalls(pool),
  );
  const dueAt = clock.now();
  const deadline = { kind: 'merchant.company', key: id, dueAt };
  await store.step(bench.worker.metadata(id), (step) => step.setDeadline(deadline));
  const worker = new JobsBench(bench.worker, ...keyless.kinds());
  expect(await worker.round()).toBe(1);
  expect(await planned(id)).toMatchObject([{ due_at: new Date(plusMs(dueAt, DAY_MS)) }]);
  clock.advance(DAY_MS);
  const liveDueAt = clock.now();
  await store.step(bench.worker.metadata('mer_live'), (step) =>
    step.setDeadline({ kind: 'merchant.company', key: 'mer_live', dueAt: liveDueAt }),
  );
  clock.advance(7 * HOUR_MS);
  expect(await overdue()).toEqual({
    test: (DAY_MS + 7 * HOUR_MS) / SECOND_MS,
    live: (7 * HOUR_MS) / SECOND_MS,
  });
  worker.stop();
});
