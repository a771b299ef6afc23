import fc from 'fast-check';
import { DAY_MS, fold, HOUR_MS, type Instant, parseInstant, plusMs } from '#kernel';
import { COMPANY_STATUSES } from './company-status.js';
import type { CompanyObservation, MerchantCommand } from './merchant-command.js';
import { merchantDecider } from './merchant-decider.js';
import type { MerchantEvent } from './merchant-event.js';
import { isRegistered, type Merchant, type RegisteredMerchant } from './merchant.js';
import { addDays, earlierDay, parisDay } from './paris-day.js';
import { changesOf, type StatusObservation } from './status-observation.js';

/**
 * Rows of the status history, GETs and responses may each arrive late, twice or never. In whatever
 * order they arrive, the newest observation decides the status.
 */

const start: Instant = parseInstant('2026-03-26T10:00:00Z');
const requested: readonly MerchantEvent[] = [
  {
    type: 'MerchantDrafted',
    platformId: 'shop',
    reference: 'M-1',
    mode: 'test',
    firstTerminal: null,
    detailsRef: 'det_1',
    at: start,
  },
  { type: 'RegistrationRequested', detailsRef: 'det_1', at: start },
];

const observe = (observation: CompanyObservation): MerchantCommand => ({
  type: 'ObserveCompanyStatus',
  observation,
  at: start,
});

interface Result {
  readonly merchant: Merchant;
  readonly events: number;
}

const perform = ({ merchant, events }: Result, command: MerchantCommand): Result => {
  const news = merchantDecider.decide(merchant, command);
  return { merchant: news.reduce(merchantDecider.evolve, merchant), events: events + news.length };
};

const begun: Result = { merchant: fold(merchantDecider, requested), events: 0 };

const after = (commands: readonly MerchantCommand[]): Result => commands.reduce(perform, begun);

const merchantOf = ({ merchant }: Result): RegisteredMerchant => {
  if (!isRegistered(merchant))
    throw new Error(`expected a registered merchant, got ${merchant.status}`);
  return merchant;
};

const rowsOf = ({ statusObservations }: RegisteredMerchant): readonly StatusObservation[] =>
  changesOf(statusObservations).filter(({ source }) => source === 'history');

/**
 * Random observations, plausible or not. Their times are coarse, so that the days and the times of
 * reads often coincide.
 */
const fact: fc.Arbitrary<CompanyObservation> = fc
  .record({
    hours: fc.integer({ min: 0, max: 24 }).map((steps) => steps * 5),
    daysBefore: fc.integer({ min: -1, max: 4 }),
    source: fc.constantFrom('history', 'read', 'response'),
    status: fc.constantFrom(...COMPANY_STATUSES),
    terminatedByProvider: fc.constantFrom(true, false, null),
  })
  .map(({ hours, daysBefore, source, status, terminatedByProvider }) => {
    const readAt = plusMs(start, hours * HOUR_MS);
    const day = addDays(parisDay(readAt), -daysBefore);
    const seen =
      source === 'history'
        ? ({ source, day, readAt } as const)
        : ({ source: source === 'read' ? 'read' : 'response', readAt } as const);
    return {
      companyId: 'comp_1',
      companyAccountId: null,
      status,
      seen,
      terminatedByProvider: source === 'history' ? terminatedByProvider : null,
    };
  });

/** Observations, and a sequence in which they arrive: shuffled, and some of them several times. */
const arrivals = fc.array(fact, { minLength: 1, maxLength: 12 }).chain((facts) =>
  fc.record({
    facts: fc.constant(facts),
    arrived: fc.array(fc.nat(facts.length - 1), { maxLength: 12 }).chain((repeats) => {
      const all = [...facts, ...repeats.map((index) => facts[index] ?? facts[0])];
      return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
    }),
  }),
);

const isFact = (one: CompanyObservation | undefined): one is CompanyObservation =>
  one !== undefined;

const attach: MerchantCommand = {
  type: 'AttachAccount',
  accountId: 'acc_1',
  mode: 'test',
  readAt: plusMs(start, 30 * DAY_MS),
  at: start,
};

test('the same observations lead to the same status, history and decision about new orders, in any sequence and with any repetition', () => {
  fc.assert(
    fc.property(arrivals, ({ facts, arrived }) => {
      const expected = merchantOf(after([...facts.map(observe), attach]));
      const seen = merchantOf(after([...arrived.filter(isFact).map(observe), attach]));
      expect(seen.status).toBe(expected.status);
      expect(seen.ordersEnabled).toBe(expected.ordersEnabled);
      expect(rowsOf(seen)).toEqual(rowsOf(expected));
      expect(seen.ordersEnabled).toBe(seen.status === 'available' && seen.accounts.length > 0);
    }),
    { numRuns: 500 },
  );
});

const readAtOf = ({ seen }: CompanyObservation): Instant => seen.readAt;

test('the newest GET decides the status, even if earlier observations were lost', () => {
  fc.assert(
    fc.property(
      arrivals,
      fc.constantFrom(...COMPANY_STATUSES),
      fc.nat(12),
      ({ arrived }, status, place) => {
        const facts = arrived.filter(isFact);
        const newest = facts.map(readAtOf).sort().at(-1) ?? start;
        const read: CompanyObservation = {
          companyId: 'comp_1',
          companyAccountId: null,
          status,
          terminatedByProvider: null,
          seen: { source: 'read', readAt: plusMs(newest, 1) },
        };
        const mixed = [...facts.slice(0, place), read, ...facts.slice(place)];
        expect(merchantOf(after(mixed.map(observe))).status).toBe(status);
      },
    ),
    { numRuns: 500 },
  );
});

test('repeating the last observation, or any row of the history, changes nothing', () => {
  fc.assert(
    fc.property(arrivals, ({ facts, arrived }) => {
      const once = after(facts.map(observe));
      expect(after(facts.flatMap((one) => [observe(one), observe(one)]))).toEqual(once);
      const rows = arrived.filter(isFact).filter(({ seen }) => seen.source === 'history');
      expect(rows.map(observe).reduce(perform, once)).toEqual(once);
    }),
    { numRuns: 300 },
  );
});

test('repeating earlier observations changes neither the status nor the history rows', () => {
  fc.assert(
    fc.property(arrivals, ({ facts, arrived }) => {
      const once = after(facts.map(observe));
      const again = merchantOf(arrived.filter(isFact).map(observe).reduce(perform, once));
      expect(again.status).toBe(merchantOf(once).status);
      expect(rowsOf(again)).toEqual(rowsOf(merchantOf(once)));
    }),
    { numRuns: 300 },
  );
});

test('the timeline of a company is sorted by day, and contains each status of a day once', () => {
  fc.assert(
    fc.property(arrivals, ({ arrived }) => {
      const merchant = merchantOf(after(arrived.filter(isFact).map(observe)));
      const keys = rowsOf(merchant).map(({ day, status }) => `${day} ${status}`);
      expect(new Set(keys).size).toBe(keys.length);
      const days = merchant.statusObservations.map(({ day, readAt }) =>
        earlierDay(day, parisDay(readAt)),
      );
      expect(days).toEqual([...days].sort());
    }),
    { numRuns: 300 },
  );
});

test('reading an unchanged status 500 times stores only the first and the last read', () => {
  const reads = Array.from({ length: 500 }, (_, index): CompanyObservation => ({
    companyId: 'comp_1',
    companyAccountId: null,
    status: 'available',
    terminatedByProvider: null,
    seen: { source: 'read', readAt: plusMs(start, index * DAY_MS) },
  }));
  expect(merchantOf(after(reads.map(observe))).statusObservations).toHaveLength(2);
});
