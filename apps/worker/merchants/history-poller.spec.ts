import { DAY_MS, HOUR_MS, MINUTE_MS, parseInstant, plusMs } from '#kernel';
import { changesOf, isRegistered, requestRound } from '#onboarding';
import { HistoryRows } from './history-rows.js';
import { HistoryWatermarks } from './history-watermarks.js';
import { MerchantBench, type Poller } from './merchants.fixture.js';
import type { TinyPartner } from './tiny-partner.fixture.js';

let bench: MerchantBench;
let partner: TinyPartner;
let poller: Poller;

beforeAll(async () => {
  bench = await MerchantBench.open();
  ({ partner } = bench);
});
beforeEach(async () => {
  partner.reset();
  await bench.worker.admin.query('TRUNCATE jobs, history_watermarks');
  bench.setTime(parseInstant('2026-03-10T11:00:00Z'));
  poller = await bench.newPoller();
});
afterAll(() => bench.close());

const advance = (ms: number): void => bench.worker.clock.advance(ms);

const statusOf = async (id: string): Promise<string> => (await bench.merchant(id)).status;

const rowsOf = async (id: string): Promise<readonly string[]> => {
  const merchant = await bench.merchant(id);
  if (!isRegistered(merchant)) return [];
  return changesOf(merchant.statusObservations)
    .filter(({ source }) => source === 'history')
    .map(({ day, status }) => `${day} ${status}`);
};

const company = async (): Promise<{ id: string; companyId: string }> => bench.registered();

test('a polling run reads the three days before the watermark again, then each day since, including the current day', async () => {
  const { id, companyId } = await company();
  expect(await poller.round()).toBe('more');
  expect(await bench.plan()).toMatchObject({
    watermark: '2026-03-10',
    nextRoundAt: '2026-03-10T23:15:00.000Z',
    failures: 0,
  });
  expect(await poller.round()).toBe('idle');
  expect(partner.count('history')).toBe(4);
  partner.model.change(companyId, 'in_review');
  advance(DAY_MS);
  await poller.round();
  expect(partner.count('history')).toBe(9);
  expect(await bench.plan()).toMatchObject({ watermark: '2026-03-11' });
  expect(await statusOf(id)).toBe('in_review');
});

test('after three weeks without a worker, the status history is read day by day', async () => {
  const { id, companyId } = await company();
  await poller.round();
  for (const status of ['in_review', 'validated', 'available'] as const) {
    advance(7 * DAY_MS);
    partner.model.change(companyId, status);
  }
  partner.asked.length = 0;
  await poller.round();
  expect(await rowsOf(id)).toEqual([
    '2026-03-10 incomplete',
    '2026-03-17 in_review',
    '2026-03-24 validated',
    '2026-03-31 available',
  ]);
  expect(partner.count('history')).toBe(25);
  expect(await bench.plan()).toMatchObject({ watermark: '2026-03-31' });
});

test('a row of the status history whose status is already recorded causes no event and no read of the company', async () => {
  const { id } = await company();
  await poller.round();
  const reads = () => bench.worker.rows('SELECT * FROM jobs WHERE subject_id IS NULL');
  const [before, planned] = [await bench.story(id), await reads()];
  for (let day = 0; day < 3; day += 1) {
    advance(DAY_MS);
    await poller.round();
  }
  expect(await bench.story(id)).toEqual(before);
  expect(planned).toHaveLength(0);
  expect(await reads()).toEqual(planned);
});

describe('a failing read of a day of the status history', () => {
  test.each(['status_500', 'half', 'reset'] as const)(
    'ends the polling run, and the next run reads the day again (%s)',
    async (fault) => {
      const { id, companyId } = await company();
      await poller.round();
      advance(2 * DAY_MS);
      partner.model.change(companyId, 'in_review');
      advance(2 * DAY_MS);
      // The fault occurs after the poller has read the three days before the watermark again, and
      // one further day.
      let seen = 0;
      partner.after = (verb) => {
        if (verb === 'history' && (seen += 1) === 4) partner.failNext('history', fault);
      };
      await poller.round();
      const plan = await bench.plan();
      expect(plan).toMatchObject({ watermark: '2026-03-11', failures: 1 });
      expect(await statusOf(id)).toBe('incomplete');
      expect(plan?.nextRoundAt).toBe(plusMs(bench.worker.clock.now(), MINUTE_MS));
      advance(MINUTE_MS);
      await poller.round();
      expect(await bench.plan()).toMatchObject({ watermark: '2026-03-14', failures: 0 });
      expect(await rowsOf(id)).toEqual(['2026-03-10 incomplete', '2026-03-12 in_review']);
    },
  );

  test('is retried with backoff while the provider is unavailable', async () => {
    partner.failNext('history', 'status_500', 100);
    const waits: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      await poller.round();
      const next = Date.parse((await bench.plan())?.nextRoundAt ?? '');
      waits.push((next - Date.parse(bench.worker.clock.now())) / MINUTE_MS);
      bench.worker.clock.advance(next - Date.parse(bench.worker.clock.now()));
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });
});

describe('concurrent workers that poll the status history', () => {
  test('write nothing after they have lost the lease', async () => {
    await poller.round();
    advance(5 * DAY_MS);
    const late = poller;
    const newer = await bench.newPoller();
    await expect(late.round()).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(await bench.plan()).toMatchObject({ watermark: '2026-03-10' });
    await newer.round();
    expect(await bench.plan()).toMatchObject({ watermark: '2026-03-15' });
  });

  test('record no status change twice', async () => {
    const { id, companyId } = await company();
    await poller.round();
    advance(DAY_MS);
    partner.model.change(companyId, 'in_review');
    advance(DAY_MS);
    const newer = await bench.newPoller();
    const [late] = await Promise.allSettled([poller.round(), newer.round()]);
    expect(late?.status).toBe('rejected');
    expect(await rowsOf(id)).toEqual(['2026-03-10 incomplete', '2026-03-11 in_review']);
    const changes = (await bench.story(id)).filter((type) => type === 'CompanyStatusChanged');
    expect(changes).toHaveLength(2);
  });
});

/** A poller that cannot record the rows of one company. */
const failingFor = (companyId: string): Promise<Poller> => {
  const { store, clock } = bench.worker;
  const logger = { error: () => undefined } as never;
  const rows = new HistoryRows(store, clock, logger);
  const stubborn: Pick<HistoryRows, 'observe'> = {
    observe: async (mode, changes, readAt) => {
      const others = changes.filter((change) => change.companyId !== companyId);
      const outcomes = await rows.observe(mode, others, readAt);
      return others.length === changes.length ? outcomes : [...outcomes, 'failed'];
    },
  };
  return bench.newPoller({ rows: stubborn });
};

test('a row of the status history that cannot be recorded keeps the watermark at the row’s day, and delays no other row', async () => {
  const [good, bad] = [await company(), await company()];
  await poller.round();
  const failing = await failingFor(bad.companyId);
  advance(DAY_MS);
  partner.model.change(good.companyId, 'in_review');
  partner.model.change(bad.companyId, 'in_review');
  advance(2 * DAY_MS);
  await failing.round();
  expect(await statusOf(good.id)).toBe('in_review');
  expect(await bench.plan()).toMatchObject({ watermark: '2026-03-10', failures: 1 });
  const repaired = await bench.newPoller();
  await repaired.roundNow();
  expect(await statusOf(bad.id)).toBe('in_review');
  expect(await bench.plan()).toMatchObject({ watermark: '2026-03-13', failures: 0 });
});

test('an unreadable row of the status history keeps the watermark at the row’s day, and delays no other row', async () => {
  const { id, companyId } = await company();
  await poller.round();
  advance(DAY_MS);
  partner.model.change(companyId, 'in_review');
  partner.oddRows = [{ id: 'firm_1', 'date-update': 'soon', status: 'available' }];
  await poller.round();
  expect(await statusOf(id)).toBe('in_review');
  expect(await bench.plan()).toMatchObject({ watermark: '2026-03-08', failures: 1 });
  partner.oddRows = [];
  advance(MINUTE_MS);
  await poller.round();
  expect(await bench.plan()).toMatchObject({ watermark: '2026-03-11', failures: 0 });
});

test('a row of the status history that is unreadable in every response moves the watermark back only once', async () => {
  partner.oddRows = [{ id: 'firm_1', 'date-update': 'soon', status: 'available' }];
  for (let round = 0; round < 10; round += 1) {
    advance(HOUR_MS);
    partner.asked.length = 0;
    await poller.round();
    expect(await bench.plan()).toMatchObject({ watermark: '2026-03-07', failures: round + 1 });
    expect(partner.count('history')).toBeLessThanOrEqual(7);
  }
});

test('a late row of the status history that cannot be recorded moves the watermark back to the row’s day', async () => {
  const bad = await company();
  await poller.round();
  advance(HOUR_MS);
  partner.model.change(bad.companyId, 'in_review', 2 * DAY_MS);
  advance(DAY_MS);
  await poller.round();
  expect(await bench.plan()).toMatchObject({ watermark: '2026-03-11' });
  advance(DAY_MS);
  const failing = await failingFor(bad.companyId);
  await failing.roundNow();
  expect(await bench.plan()).toMatchObject({ watermark: '2026-03-10', failures: 1 });
  advance(10 * DAY_MS);
  await failing.roundNow();
  await (await bench.newPoller()).roundNow();
  expect(await statusOf(bad.id)).toBe('in_review');
  expect(await bench.plan()).toMatchObject({ watermark: '2026-03-22', failures: 0 });
});

describe('a polling run requested by an operator', () => {
  test('begins immediately, regardless of the schedule', async () => {
    const { id, companyId } = await company();
    await poller.round();
    advance(HOUR_MS);
    partner.model.change(companyId, 'in_review');
    expect(await requestRound(bench.worker.pool, 'test', bench.worker.clock.now())).toBe(true);
    expect(await poller.round()).toBe('more');
    expect(await statusOf(id)).toBe('in_review');
    expect(await poller.round()).toBe('idle');
  });

  test('a run from a day before the watermark starts at that day, after the run that was in progress at the request', async () => {
    advance(5 * DAY_MS);
    partner.after = async (verb) => {
      if (verb !== 'history' || partner.count('history') < 4) return;
      partner.after = () => {};
      advance(1_000);
      await bench.worker.admin.query(
        `UPDATE history_watermarks SET watermark = '2026-02-20', next_round_at = $1`,
        [bench.worker.clock.now()],
      );
    };
    await poller.roundNow();
    expect(await bench.plan()).toMatchObject({ watermark: '2026-02-20' });
    partner.asked.length = 0;
    expect(await poller.round()).toBe('more');
    expect(partner.count('history')).toBeGreaterThan(20);
    expect(await bench.plan()).toMatchObject({ watermark: '2026-03-15' });
  });

  test('a run that is requested during another polling run starts after that run', async () => {
    partner.after = async (verb) => {
      if (verb !== 'history') return;
      partner.after = () => {};
      advance(1_000);
      await requestRound(bench.worker.pool, 'test', bench.worker.clock.now());
    };
    await poller.round();
    expect(await poller.round()).toBe('more');
    expect(partner.count('history')).toBe(8);
  });

  test('is refused for a mode that no worker polls', async () => {
    expect(await requestRound(bench.worker.pool, 'live', bench.worker.clock.now())).toBe(false);
  });
});

describe('an unclaimed company', () => {
  const givenUp = async (): Promise<string> => {
    partner.failNext('create', 'reset');
    partner.failNext('history', 'status_500', 21);
    const id = await bench.request();
    for (let hour = 0; hour < 60; hour += 1) await bench.retryLater(HOUR_MS);
    expect(await bench.jobs(id)).toMatchObject([{ state: 'stuck' }]);
    return id;
  };

  test('triggers the search for the companies of creation calls with an unknown result', async () => {
    const id = await givenUp();
    await poller.round();
    await bench.runAll();
    expect(await statusOf(id)).toBe('incomplete');
    expect(partner.count('create')).toBe(1);
  });

  test('triggers the search for the companies of creation calls even if the read of a later day fails', async () => {
    const id = await givenUp();
    let windows = 0;
    partner.after = (verb) => {
      if (verb === 'history' && (windows += 1) === 4) partner.failNext('history', 'status_500');
    };
    await poller.round();
    expect(await bench.plan()).toMatchObject({ failures: 1 });
    partner.stopFailing();
    await bench.runAll();
    expect(await statusOf(id)).toBe('incomplete');
  });
});

test('the watermark of a mode that has merchants and no partner key any more is still reported', async () => {
  await bench.worker.admin.query(`
    INSERT INTO history_watermarks (mode, watermark, next_round_at)
    VALUES ('live', '2026-03-01', '2026-03-02')`);
  const watermarks = new HistoryWatermarks(bench.worker.pool);
  const reported = async () => Object.fromEntries(await watermarks.watermarks(['test']));
  expect(await reported()).toEqual({ test: '2026-03-10' });
  await bench.worker.admin.query(`
    INSERT INTO merchant_list (merchant_id, platform_id, reference, mode, status, orders_enabled,
                               drafted_at, version)
    VALUES ('mer_live', 'plat_1', 'r', 'live', 'available', true, now(), 1)`);
  expect(await reported()).toEqual({ live: '2026-03-01', test: '2026-03-10' });
});
