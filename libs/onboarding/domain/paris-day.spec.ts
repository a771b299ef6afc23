import { parseInstant } from '#kernel';
import { addDays, parisDay, parseDay, startOfDay } from './paris-day.js';

const day = (text: string): string => parisDay(parseInstant(text));

test('a day begins at midnight in Paris, in winter and in summer', () => {
  expect(day('2026-01-15T22:59:59.999Z')).toBe('2026-01-15');
  expect(day('2026-01-15T23:00:00Z')).toBe('2026-01-16');
  expect(day('2026-07-15T21:59:59.999Z')).toBe('2026-07-15');
  expect(day('2026-07-15T22:00:00Z')).toBe('2026-07-16');
});

test('in Paris a year begins earlier than in UTC', () => {
  expect(day('2026-12-31T22:59:59Z')).toBe('2026-12-31');
  expect(day('2026-12-31T23:00:00Z')).toBe('2027-01-01');
});

test.each([
  ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['2026-12-31', '2026-12-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
])('the day %s lasts from %s to %s, even if clocks change on that day', (text, from, to) => {
  const some = parseDay(text);
  expect(startOfDay(some)).toBe(from);
  expect(startOfDay(addDays(some, 1))).toBe(to);
  expect(addDays(addDays(some, 1), -1)).toBe(some);
});

test.each(['2026-02-29', '2026-13-01', '2026-1-1', '20260101', '', '2026-01-01T00:00:00Z'])(
  '%j is rejected as a day',
  (text) => {
    expect(() => parseDay(text)).toThrow(expect.objectContaining({ code: 'invalid_day' }));
  },
);

test('29 February is accepted only in leap years', () => {
  expect(addDays(parseDay('2028-02-28'), 1)).toBe('2028-02-29');
});
