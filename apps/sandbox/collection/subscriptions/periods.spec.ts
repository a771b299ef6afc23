import fc from 'fast-check';
import { instantFromMs, msOf, parseInstant } from '#kernel';
import { type Every, periodAt } from './periods.js';

const at = (text: string) => parseInstant(`${text}Z`);
const MONTHLY: Every = { interval: 'month', count: 1 };

test.each([
  ['2026-01-31T10:00:00', '2026-01-31T10:00:00', '2026-01-31T10:00:00', '2026-02-28T10:00:00'],
  ['2026-01-31T10:00:00', '2026-02-28T09:59:59', '2026-01-31T10:00:00', '2026-02-28T10:00:00'],
  ['2026-01-31T10:00:00', '2026-02-28T10:00:00', '2026-02-28T10:00:00', '2026-03-31T10:00:00'],
  ['2026-01-31T10:00:00', '2027-12-31T12:00:00', '2027-12-31T10:00:00', '2028-01-31T10:00:00'],
])('the monthly period from %s on that contains %s is from %s to %s', (anchor, now, start, end) => {
  expect(periodAt(at(anchor), MONTHLY, at(now))).toEqual({ start: at(start), end: at(end) });
});

test.each([
  [{ interval: 'day', count: 3 }, '2026-03-07T00:00:00', '2026-03-10T00:00:00'],
  [{ interval: 'week', count: 2 }, '2026-03-01T00:00:00', '2026-03-15T00:00:00'],
  [{ interval: 'month', count: 3 }, '2026-03-01T00:00:00', '2026-06-01T00:00:00'],
  [{ interval: 'year', count: 1 }, '2026-03-01T00:00:00', '2027-03-01T00:00:00'],
] as const)('with the interval %j, the current period is from %s to %s', (every, start, end) => {
  expect(periodAt(at('2026-03-01T00:00:00'), every, at('2026-03-09T12:00:00'))).toEqual({
    start: at(start),
    end: at(end),
  });
});

test('yearly periods from 29 February start on 28 February, and on 29 February in leap years', () => {
  const leap = at('2028-02-29T00:00:00');
  const yearly = { interval: 'year', count: 1 } as const;
  expect(periodAt(leap, yearly, at('2029-03-01T00:00:00')).start).toBe(at('2029-02-28T00:00:00'));
  expect(periodAt(leap, yearly, at('2032-02-29T00:00:00')).start).toBe(at('2032-02-29T00:00:00'));
});

test('every instant is in exactly one period, and each period starts at the end of the previous period', () => {
  const moment = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });
  const every = fc.record({
    interval: fc.constantFrom('day', 'week', 'month', 'year'),
    count: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(moment, moment, every, (one, other, repeated) => {
      const anchor = instantFromMs(Math.min(one, other));
      const now = instantFromMs(Math.max(one, other));
      const period = periodAt(anchor, repeated, now);
      expect(period.start <= now && now < period.end).toBe(true);
      expect(periodAt(anchor, repeated, period.end).start).toBe(period.end);
      expect(periodAt(anchor, repeated, instantFromMs(msOf(period.end) - 1))).toEqual(period);
    }),
  );
});
