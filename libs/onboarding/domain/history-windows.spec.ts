import { type Instant, msOf, parseInstant, plusMs } from '#kernel';
import {
  afterWindow,
  beginRound,
  firstWatermark,
  type HistoryRound,
  type HistoryWindow,
  nextRoundAt,
  nextWindow,
  retryRoundAt,
} from './history-windows.js';
import { addDays, type Day, parisDay, parseDay } from './paris-day.js';

const noon = (day: string): Instant => parseInstant(`${day}T11:00:00Z`);

interface Read {
  readonly days: readonly string[];
  readonly watermark: Day;
}

/** A whole poll run in which every request succeeds. */
const readAll = (watermark: string, now: Instant): Read => {
  let round = beginRound(parseDay(watermark), now);
  const days: string[] = [];
  for (let window = nextWindow(round, now); window; window = nextWindow(round, now)) {
    expect(window.until).toBe(addDays(window.since, 1));
    days.push(`${window.since}${window.isClosed ? '' : ' running'}`);
    round = afterWindow(round, window, 'whole');
  }
  return { days, watermark: round.watermark };
};

const windowOf = (round: HistoryRound, now: Instant): HistoryWindow => {
  const window = nextWindow(round, now);
  if (window === null) throw new Error('the round has a window');
  return window;
};

test('a daily poll run reads the three days before yesterday again, then yesterday and the current day', () => {
  expect(readAll('2026-03-09', noon('2026-03-10'))).toEqual({
    days: ['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10 running'],
    watermark: '2026-03-10',
  });
});

test('reading the current day does not move the watermark', () => {
  expect(readAll('2026-03-10', noon('2026-03-10'))).toEqual({
    days: ['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10 running'],
    watermark: '2026-03-10',
  });
});

test('a poll run after three weeks without polling reads every day, one by one', () => {
  const { days, watermark } = readAll('2026-12-15', noon('2027-01-05'));
  expect(days).toHaveLength(25);
  expect(days.slice(0, 4)).toEqual(['2026-12-12', '2026-12-13', '2026-12-14', '2026-12-15']);
  expect(days).toContain('2026-12-31');
  expect(days).toContain('2027-01-01');
  days.slice(1).forEach((day, index) => {
    expect(day.slice(0, 10)).toBe(addDays(parseDay(days[index]?.slice(0, 10) ?? ''), 1));
  });
  expect(watermark).toBe('2027-01-05');
});

test.each([
  ['2026-03-28', '2026-03-31'],
  ['2026-10-24', '2026-10-27'],
])('a poll run counts a day of 23 or 25 hours after %s as one day', (watermark, today) => {
  const { days } = readAll(watermark, noon(today));
  const expected = [-3, -2, -1, 0, 1, 2].map((n) => addDays(parseDay(watermark), n));
  expect(days).toEqual([...expected, `${today} running`]);
});

test('a failed request does not move the watermark, so the next poll run reads that day again', () => {
  const now = noon('2026-03-12');
  let round = beginRound(parseDay('2026-03-09'), now);
  for (let read = 0; read < 4; read += 1) round = afterWindow(round, windowOf(round, now), 'whole');
  expect(windowOf(round, now).since).toBe('2026-03-10');
  expect(round.watermark).toBe('2026-03-10');
  expect(readAll(round.watermark, now).days[3]).toBe('2026-03-10');
});

test('a day that was read before its end is read again after its end', () => {
  const evening = parseInstant('2026-03-10T22:59:59Z');
  const day = parseDay('2026-03-10');
  const round = { watermark: day, floor: day, next: day };
  const asked = windowOf(round, evening);
  expect(asked.isClosed).toBe(false);
  const nextDay = plusMs(evening, 2_000);
  const after = afterWindow(round, asked, 'whole');
  expect(after.watermark).toBe('2026-03-10');
  expect(windowOf(after, nextDay)).toMatchObject({ since: '2026-03-11', isClosed: false });
  const ended = { ...windowOf(after, nextDay), isClosed: true };
  const later = afterWindow(after, ended, 'whole');
  expect(later.watermark).toBe('2026-03-10');
});

test('a row that cannot be read keeps the watermark at the row’s day, or moves it back to that day', () => {
  const now = noon('2026-03-10');
  let round = beginRound(parseDay('2026-03-10'), now);
  for (const taken of ['whole', 'partly', 'whole', 'whole'] as const) {
    round = afterWindow(round, windowOf(round, now), taken);
  }
  expect(round).toMatchObject({ watermark: '2026-03-08', next: '2026-03-11' });
  expect(readAll(round.watermark, now).watermark).toBe('2026-03-10');
});

test('rows that can never be read move the watermark back by at most the three days that each poll run reads again', () => {
  const now = noon('2026-03-10');
  let watermark = parseDay('2026-03-10');
  for (let time = 0; time < 10; time += 1) {
    let round = beginRound(watermark, now);
    for (let window = nextWindow(round, now); window; window = nextWindow(round, now)) {
      round = afterWindow(round, window, 'partly');
    }
    ({ watermark } = round);
    expect(watermark).toBe('2026-03-07');
  }
});

test('a poll run rejects a window that skips a day', () => {
  const round = beginRound(parseDay('2026-03-09'), noon('2026-03-12'));
  const window = windowOf(round, noon('2026-03-12'));
  const skipping = { ...window, since: window.until, until: addDays(window.until, 1) };
  expect(() => afterWindow(round, skipping, 'whole')).toThrow('windows are read day by day');
});

test('after our clock was ahead and was corrected, days that have not ended do not count as read', () => {
  const { days, watermark } = readAll('2026-03-20', noon('2026-03-10'));
  expect(days).toEqual(['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10 running']);
  expect(watermark).toBe('2026-03-10');
});

test('an environment without a watermark starts with the current day in Paris', () => {
  expect(firstWatermark(parseInstant('2026-03-09T23:30:00Z'))).toBe('2026-03-10');
});

describe('the next poll run', () => {
  test.each(['2026-03-28T12:00:00Z', '2026-10-24T12:00:00Z', '2026-12-31T12:00:00Z'])(
    'after %s is scheduled for the following night in Paris',
    (text) => {
      const now = parseInstant(text);
      for (const jitter of [0, 0.5, 1]) {
        const at = nextRoundAt(now, jitter);
        expect(parisDay(at)).toBe(addDays(parisDay(now), 1));
        expect(parisDay(plusMs(at, -16 * 60_000))).toBe(
          jitter === 0 ? parisDay(now) : parisDay(at),
        );
      }
    },
  );

  test('starts a minute after a failure; each further failure doubles this delay, up to one and a half hours', () => {
    const now = noon('2026-03-10');
    const waits = [1, 2, 3, 20].map((failures) => msOf(retryRoundAt(now, failures, 0)) - msOf(now));
    expect(waits).toEqual([60_000, 120_000, 240_000, 3_600_000]);
    expect(msOf(retryRoundAt(now, 20, 1)) - msOf(now)).toBe(5_400_000);
  });
});
