import fc from 'fast-check';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, parseInstant } from '#kernel';
import {
  changesOf,
  type CompanyStatus,
  isRegistered,
  type Merchant,
  parisDay,
  type StatusObservation,
} from '#onboarding';
import { JobsBench } from '../jobs.fixture.js';
import { quiet } from '../worker.fixture.js';
import { MerchantReader } from './merchant-reader.js';
import { MerchantBench, type Poller } from './merchants.fixture.js';
import type { TinyPartner } from './tiny-partner.fixture.js';
import { UnknownCalls } from './unknown-calls.js';

/**
 * Runs the poller, the reader and the recording of statuses on a real event log. The provider is
 * sometimes unavailable, interrupts responses, lists rows late and has a different clock. At the
 * end the merchant's timeline must contain every status change of the history, in order, and the
 * merchant must have the company's status.
 */

const COMPANIES = 3;
const STATUSES: readonly CompanyStatus[] = [
  'incomplete',
  'in_review',
  'validated',
  'available',
  'closing',
  'closed',
];
/**
 * The maximum delay between the date of a history row and its appearance in the provider's list,
 * and the maximum difference between the provider's clock and ours. Together they are shorter than
 * the days that each poll reads again.
 */
const LATEST_MS = 24 * HOUR_MS;
const MOST_SKEW_MS = 36 * HOUR_MS;

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
afterAll(() => {
  jobs.stop();
  return bench.close();
});

interface Followed {
  readonly id: string;
  readonly companyId: string;
}

/** The merchants of one run, and the worker that holds the lease. */
interface World {
  readonly merchants: readonly Followed[];
  poller: Poller;
}

type Happening = (world: World) => Promise<void> | void;

const readDue = async (): Promise<void> => {
  await jobs.round();
};

const changing: fc.Arbitrary<Happening> = fc
  .tuple(
    fc.nat(COMPANIES - 1),
    fc.constantFrom(...STATUSES),
    fc.oneof(fc.constant(0), fc.nat(LATEST_MS)),
  )
  .map(
    ([which, status, lateMs]) =>
      ({ merchants }) =>
        partner.model.change(merchants[which]?.companyId ?? '', status, lateMs),
  );

const advancing: fc.Arbitrary<Happening> = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 * HOUR_MS }) },
    { weight: 3, arbitrary: fc.integer({ min: 12 * HOUR_MS, max: 3 * DAY_MS }) },
    { weight: 1, arbitrary: fc.integer({ min: 3 * DAY_MS, max: 25 * DAY_MS }) },
  )
  .map((ms) => () => bench.worker.clock.advance(ms));

/**
 * A polling run in which the `failing`-th read of the history has the fault. Time passes between
 * the reads.
 */
const polling: fc.Arbitrary<Happening> = fc
  .record({
    failing: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 8 })),
    fault: fc.constantFrom('status_500', 'half', 'reset', 'reset_before'),
    pauseMs: fc.oneof(fc.constant(0), fc.nat(20 * MINUTE_MS)),
  })
  .map(({ failing, fault, pauseMs }) => async ({ poller }) => {
    let windows = 0;
    if (failing === 1) partner.failNext('history', fault);
    partner.after = (verb) => {
      if (verb !== 'history') return;
      windows += 1;
      if (windows === failing - 1) partner.failNext('history', fault);
      bench.worker.clock.advance(pauseMs);
    };
    await poller.roundNow();
    partner.stopFailing();
  });

/** Two workers: the lease passes from one to the other during a polling run. */
const handingOver: fc.Arbitrary<Happening> = fc.constant(async (world) => {
  const newer = await bench.newPoller();
  await Promise.allSettled([world.poller.roundNow(), newer.roundNow()]);
  world.poller = newer;
});

const skewing: fc.Arbitrary<Happening> = fc
  .integer({ min: -MOST_SKEW_MS, max: MOST_SKEW_MS })
  .map((ms) => () => bench.skew(ms));

const reading: fc.Arbitrary<Happening> = fc.constant(readDue);

/**
 * Makes the deadline for the read of a company due, and reads the company, even while our clock is
 * wrong.
 */
const readingOverdue: fc.Arbitrary<Happening> = fc
  .nat(COMPANIES - 1)
  .map((which) => async ({ merchants }) => {
    const key = merchants[which]?.id;
    if (key === undefined) return;
    const dueAt = bench.worker.clock.now();
    await bench.worker.store.step(bench.worker.metadata(key), (step) =>
      step.setDeadline({ kind: 'merchant.company', key, dueAt }),
    );
    await readDue();
  });

/**
 * Instants at which a run starts: before the beginning and end of daylight saving time, the end of
 * a year, and 29 February.
 */
const beginning = fc
  .constantFrom(
    '2026-03-26T21:30:00Z',
    '2026-10-22T22:30:00Z',
    '2026-12-28T22:30:00Z',
    '2028-02-26T12:00:00Z',
  )
  .map(parseInstant);

const begin = async (at: Instant): Promise<World> => {
  await bench.worker.admin.query('TRUNCATE jobs, history_watermarks');
  partner.reset();
  bench.setTime(at);
  const merchants = await Promise.all(Array.from({ length: COMPANIES }, () => bench.request()));
  const poller = await bench.newPoller();
  await bench.runAll();
  return {
    poller,
    merchants: await Promise.all(
      merchants.map(async (id) => {
        const merchant = await bench.merchant(id);
        if (!isRegistered(merchant))
          throw new Error(`the merchant is not registered: its status is ${merchant.status}`);
        return { id, companyId: merchant.companyId };
      }),
    ),
  };
};

/**
 * Polls without faults for long enough that all late rows are listed and any clock difference has
 * passed.
 */
const heal = async ({ poller }: World): Promise<void> => {
  bench.skew(0);
  partner.stopFailing();
  bench.worker.clock.advance(4 * DAY_MS);
  await poller.roundNow();
  await readDue();
};

const timelineOf = (merchant: Merchant): readonly StatusObservation[] =>
  isRegistered(merchant) ? changesOf(merchant.statusObservations) : [];

const check = async ({ id, companyId }: Followed): Promise<void> => {
  const merchant = await bench.merchant(id);
  const rows = timelineOf(merchant).filter(({ source }) => source === 'history');
  const lasts = new Map(rows.map(({ day, status }) => [String(day), status]));
  expect([...lasts].map(([day, status]) => ({ day, status }))).toEqual(
    partner.model.lastOfDays(companyId),
  );
  const keys = rows.map(({ day, status }) => `${day} ${status}`);
  expect(new Set(keys).size).toBe(keys.length);
  const happened = partner.model
    .company(companyId)
    .changes.map(({ at, status }) => `${parisDay(at)} ${status}`);
  expect(keys.filter((key) => !happened.includes(key))).toEqual([]);
  expect(merchant.status).toBe(partner.model.statusOf(companyId));
};

test('every status change that the provider’s history shows is recorded in order, even if requests fail and workers crash', async () => {
  const happening = fc.oneof(
    { weight: 6, arbitrary: changing },
    { weight: 4, arbitrary: advancing },
    { weight: 4, arbitrary: polling },
    { weight: 1, arbitrary: handingOver },
    { weight: 2, arbitrary: skewing },
    { weight: 1, arbitrary: reading },
    { weight: 3, arbitrary: readingOverdue },
  );
  await fc.assert(
    fc.asyncProperty(beginning, fc.array(happening, { maxLength: 30 }), async (at, happenings) => {
      const world = await begin(at);
      for (const one of happenings) await one(world);
      await heal(world);
      for (const merchant of world.merchants) await check(merchant);
      expect(await bench.plan()).toMatchObject({ watermark: parisDay(bench.worker.clock.now()) });
    }),
    { numRuns: 40 },
  );
});
