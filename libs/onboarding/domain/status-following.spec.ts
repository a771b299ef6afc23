import fc from 'fast-check';
import { DAY_MS, fold, HOUR_MS, type Instant, MINUTE_MS, parseInstant, plusMs } from '#kernel';
import { COMPANY_STATUSES, type CompanyStatus } from './company-status.js';
import {
  afterWindow,
  beginRound,
  firstWatermark,
  type HistoryRound,
  type HistoryWindow,
  nextWindow,
} from './history-windows.js';
import type { CompanyObservation } from './merchant-command.js';
import { merchantDecider } from './merchant-decider.js';
import type { MerchantEvent } from './merchant-event.js';
import { isRegistered, type Merchant } from './merchant.js';
import { isKnownChange } from './observe-company.js';
import { type Day, parisDay } from './paris-day.js';
import { changesOf, type StatusObservation } from './status-observation.js';

/**
 * Tests the poll runs and the ingestion of observations together against a simulated provider, with
 * outages, wrong clocks, late rows and GETs in between. In the end the timeline must contain, in
 * order, the last change of each day, and the status must equal the provider's.
 */

interface Change {
  readonly status: CompanyStatus;
  readonly at: Instant;
  /** The time from which the provider's history shows the change. */
  readonly shownAt: Instant;
}

/**
 * A simulated provider whose status history follows the specified rules and guarantees nothing
 * more.
 */
class SimulatedProvider {
  now: Instant;
  readonly changes: Change[][];

  constructor(now: Instant, companies: number) {
    this.now = now;
    this.changes = Array.from({ length: companies }, () => [
      { status: 'incomplete', at: now, shownAt: now },
    ]);
  }

  statusOf(company: number): CompanyStatus {
    return this.changes[company]?.at(-1)?.status ?? 'incomplete';
  }

  change(company: number, status: CompanyStatus, lateMs: number): void {
    if (this.statusOf(company) === status) return;
    const shownAt = plusMs(this.now, lateMs);
    this.changes[company]?.push({ status, at: this.now, shownAt });
  }

  /** The status history in a period: the last change of each company. */
  history({ since, until }: HistoryWindow): { company: number; day: Day; status: CompanyStatus }[] {
    return this.changes.flatMap((changes, company) => {
      const last = changes.findLast(
        ({ at, shownAt }) => shownAt <= this.now && parisDay(at) >= since && parisDay(at) < until,
      );
      return last ? [{ company, day: parisDay(last.at), status: last.status }] : [];
    });
  }

  /** The last change of each day, which the status history shows once the day has ended. */
  lastOfDays(company: number): { day: Day; status: CompanyStatus }[] {
    const lasts = new Map<Day, CompanyStatus>();
    for (const { at, status } of this.changes[company] ?? []) lasts.set(parisDay(at), status);
    return [...lasts].map(([day, status]) => ({ day, status }));
  }
}

class Follower {
  skewMs = 0;
  calls = 0;
  watermark: Day;
  private readonly merchants: Merchant[];

  constructor(private readonly provider: SimulatedProvider) {
    const at = provider.now;
    this.watermark = firstWatermark(at);
    const requested: readonly MerchantEvent[] = [
      {
        type: 'MerchantDrafted',
        platformId: 'shop',
        reference: 'M',
        mode: 'test',
        firstTerminal: null,
        detailsRef: 'det',
        at,
      },
      { type: 'RegistrationRequested', detailsRef: 'det', at },
    ];
    this.merchants = provider.changes.map(() => fold(merchantDecider, requested));
  }

  now(): Instant {
    return plusMs(this.provider.now, this.skewMs);
  }

  merchant(company: number): Merchant {
    return this.merchants[company] ?? merchantDecider.initialState;
  }

  timeline(company: number): readonly StatusObservation[] {
    const merchant = this.merchant(company);
    return isRegistered(merchant) ? changesOf(merchant.statusObservations) : [];
  }

  read(company: number): void {
    const readAt = this.now();
    const status = this.provider.statusOf(company);
    this.observe(company, { status, seen: { source: 'read', readAt } });
  }

  /** A poll run that fails in request number `failing`, after `rows` rows of its response. */
  poll(failing: number, rows: number, pausesMs: readonly number[]): void {
    let round = beginRound(this.watermark, this.now());
    for (let count = 0; ; count += 1) {
      const window = nextWindow(round, this.now());
      if (window === null) return;
      const next = this.readWindow(round, window, count === failing ? rows : null);
      if (next === null) return;
      round = next;
      this.provider.now = plusMs(this.provider.now, pausesMs[count % pausesMs.length] ?? 0);
    }
  }

  /** Two workers run a poll simultaneously: each worker starts before the other has ended. */
  pollTwice(): void {
    const rounds = [0, 1].map(() => beginRound(this.watermark, this.now()));
    for (let open = true; open;) {
      open = false;
      rounds.forEach((round, worker) => {
        const window = nextWindow(round, this.now());
        if (window === null) return;
        rounds[worker] = this.readWindow(round, window, null) ?? round;
        open = true;
      });
    }
  }

  private readWindow(
    round: HistoryRound,
    window: HistoryWindow,
    breaksAfter: number | null,
  ): HistoryRound | null {
    this.calls += 1;
    const readAt = this.now();
    const rows = this.provider.history(window);
    for (const { company, day, status } of rows.slice(0, breaksAfter ?? rows.length)) {
      this.observe(company, { status, seen: { source: 'history', day, readAt } });
    }
    if (breaksAfter !== null) return null;
    const after = afterWindow(round, window, 'whole');
    this.watermark = after.watermark;
    return after;
  }

  private observe(company: number, about: Pick<CompanyObservation, 'status' | 'seen'>): void {
    const observation = {
      companyId: `comp_${company}`,
      companyAccountId: null,
      terminatedByProvider: null,
      ...about,
    };
    const before = this.merchant(company);
    if (about.seen.source === 'history' && isKnownChange(before, observation)) return;
    const command = { type: 'ObserveCompanyStatus', observation, at: this.now() } as const;
    this.merchants[company] = merchantDecider
      .decide(before, command)
      .reduce(merchantDecider.evolve, before);
  }
}

type Happening = (provider: SimulatedProvider, follower: Follower) => void;

const COMPANIES = 3;
/**
 * The maximum delay of a row. The sum of this delay and the maximum clock error is shorter than the
 * period that each poll run reads again.
 */
const LATEST_MS = 24 * HOUR_MS;
const MOST_SKEW_MS = 36 * HOUR_MS;

const company = fc.nat(COMPANIES - 1);

const changing = (latestMs: number): fc.Arbitrary<Happening> =>
  fc.tuple(company, fc.constantFrom(...COMPANY_STATUSES), fc.nat(latestMs)).map(
    ([which, status, lateMs]) =>
      (provider) =>
        provider.change(which, status, lateMs),
  );

const advancing: fc.Arbitrary<Happening> = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 * HOUR_MS }) },
    { weight: 3, arbitrary: fc.integer({ min: 12 * HOUR_MS, max: 3 * DAY_MS }) },
    { weight: 1, arbitrary: fc.integer({ min: 3 * DAY_MS, max: 25 * DAY_MS }) },
  )
  .map((ms) => (provider) => {
    provider.now = plusMs(provider.now, ms);
  });

const polling: fc.Arbitrary<Happening> = fc
  .record({
    failing: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(8)),
    rows: fc.nat(COMPANIES),
    pausesMs: fc.array(fc.integer({ min: 0, max: 20 * MINUTE_MS }), { minLength: 1, maxLength: 4 }),
  })
  .map(
    ({ failing, rows, pausesMs }) =>
      (_provider, follower) =>
        follower.poll(failing, rows, pausesMs),
  );

const pollingTwice: fc.Arbitrary<Happening> = fc.constant((_provider, follower) =>
  follower.pollTwice(),
);

const skewing: fc.Arbitrary<Happening> = fc
  .integer({ min: -MOST_SKEW_MS, max: MOST_SKEW_MS })
  .map((skewMs) => (_provider, follower) => {
    follower.skewMs = skewMs;
  });

const reading: fc.Arbitrary<Happening> = company.map(
  (which) => (_provider, follower) => follower.read(which),
);

/** Start times shortly before a clock change, the end of a year, and 29 February. */
const beginning = fc
  .constantFrom(
    '2026-03-26T21:30:00Z',
    '2026-10-22T22:30:00Z',
    '2026-12-28T22:30:00Z',
    '2028-02-26T12:00:00Z',
  )
  .map(parseInstant);

const rowsOf = (timeline: readonly StatusObservation[]) =>
  timeline.filter(({ source }) => source === 'history');

/**
 * The last row of each day in the timeline. For an ended day it must equal the last change of that
 * day.
 */
const lastRows = (
  timeline: readonly StatusObservation[],
): { day: Day; status: CompanyStatus }[] => {
  const lasts = new Map<Day, CompanyStatus>();
  for (const { day, status } of rowsOf(timeline)) lasts.set(day, status);
  return [...lasts].map(([day, status]) => ({ day, status }));
};

const check = (provider: SimulatedProvider, follower: Follower, which: number): void => {
  const timeline = follower.timeline(which);
  expect(lastRows(timeline)).toEqual(provider.lastOfDays(which));
  const keys = rowsOf(timeline).map(({ day, status }) => `${day} ${status}`);
  expect(new Set(keys).size).toBe(keys.length);
  const happened = provider.changes[which]?.map(({ at, status }) => `${parisDay(at)} ${status}`);
  expect(keys.filter((key) => happened?.includes(key) !== true)).toEqual([]);
  expect(follower.merchant(which).status).toBe(provider.statusOf(which));
};

const play = (at: Instant, happenings: readonly Happening[]): [SimulatedProvider, Follower] => {
  const provider = new SimulatedProvider(at, COMPANIES);
  const follower = new Follower(provider);
  for (const happening of happenings) happening(provider, follower);
  return [provider, follower];
};

const COMPANY_NUMBERS = Array.from({ length: COMPANIES }, (_, index) => index);

test('poll runs alone find the last change of each day, despite outages, weeks without polling and two simultaneous workers', () => {
  const happening = fc.oneof(
    { weight: 5, arbitrary: changing(0) },
    { weight: 4, arbitrary: advancing },
    { weight: 4, arbitrary: polling },
    { weight: 1, arbitrary: pollingTwice },
  );
  fc.assert(
    fc.property(beginning, fc.array(happening, { maxLength: 40 }), (at, happenings) => {
      const [provider, follower] = play(at, happenings);
      provider.now = plusMs(provider.now, DAY_MS);
      follower.poll(Number.POSITIVE_INFINITY, 0, [0]);
      for (const which of COMPANY_NUMBERS) check(provider, follower, which);
      expect(follower.watermark).toBe(parisDay(provider.now));
    }),
    { numRuns: 200 },
  );
});

test('the timeline is complete despite late rows, wrong clocks and GETs between poll runs, and a final GET of the company shows the same status', () => {
  const happening = fc.oneof(
    { weight: 5, arbitrary: changing(LATEST_MS) },
    { weight: 4, arbitrary: advancing },
    { weight: 4, arbitrary: polling },
    { weight: 1, arbitrary: pollingTwice },
    { weight: 1, arbitrary: skewing },
    { weight: 2, arbitrary: reading },
  );
  fc.assert(
    fc.property(beginning, fc.array(happening, { maxLength: 40 }), (at, happenings) => {
      const [provider, follower] = play(at, happenings);
      follower.skewMs = 0;
      provider.now = plusMs(provider.now, 4 * DAY_MS);
      follower.poll(Number.POSITIVE_INFINITY, 0, [0]);
      for (const which of COMPANY_NUMBERS) {
        follower.read(which);
        check(provider, follower, which);
      }
    }),
    { numRuns: 200 },
  );
});

test('a daily poll run sends one request per day that it reads, independent of the number of companies', () => {
  const provider = new SimulatedProvider(parseInstant('2026-03-10T12:00:00Z'), 50);
  const follower = new Follower(provider);
  follower.poll(Number.POSITIVE_INFINITY, 0, [0]);
  provider.now = plusMs(provider.now, DAY_MS);
  follower.calls = 0;
  follower.poll(Number.POSITIVE_INFINITY, 0, [0]);
  expect(follower.calls).toBe(5);
});
