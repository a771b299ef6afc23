import { DAY_MS, SECOND_MS } from '#kernel';
import { MAX_ATTEMPTS, retryDelayMs } from './retry-schedule.js';

const delays = (random: number): number[] =>
  Array.from({ length: MAX_ATTEMPTS - 1 }, (_, n) => retryDelayMs(n + 1, random) ?? NaN);
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

test('the first retry follows after 5 to 6 seconds', () => {
  expect(retryDelayMs(1, 0)).toBe(5 * SECOND_MS);
  expect(retryDelayMs(1, 0.999_999)).toBe(6 * SECOND_MS);
});

test('attempts are made for at least three days, and for less than four', () => {
  expect(sum(delays(0))).toBeGreaterThanOrEqual(3 * DAY_MS);
  expect(sum(delays(0.999_999))).toBeLessThan(4 * DAY_MS);
});

test('no delay is shorter than the delay before', () => {
  const all = delays(0.5);
  expect(all).toEqual(all.toSorted((a, b) => a - b));
});

test('no delay follows the last attempt', () => {
  expect(retryDelayMs(MAX_ATTEMPTS, 0)).toBeNull();
});
