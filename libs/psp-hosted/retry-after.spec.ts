import { parseRetryAfterMs } from './retry-after.js';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');

test.each([
  ['0', 1_000],
  [' 120 ', 120_000],
  ['7200', 3_600_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 1_000],
  ['-1', null],
  ['1.5', null],
  ['2026', 2_026_000],
  ['tomorrow', null],
  ['', null],
  [undefined, null],
  [['1', '2'], null],
])('Retry-After: %j means %j ms from now', (header, ms) => {
  expect(parseRetryAfterMs(header, NOW_MS)).toBe(ms);
});
