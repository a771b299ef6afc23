import { consoleModule } from './console-module.fixture.js';

interface Format {
  readonly formatRate: (share: number, locale: string) => string;
  readonly formatSpan: (seconds: number, day: string) => string;
}

const load = (): Promise<Format> => consoleModule<Format>('shared/format');

test.each([
  [0, '0%'],
  [0.0001, '0.1%'],
  [0.974, '97.4%'],
  [3_999 / 4_000, '99.9%'],
  [1, '100%'],
  [1.25, '125%'],
])('the share %d is shown as %s: only 0 is 0% and only 1 is 100%', async (share, text) => {
  const { formatRate } = await load();
  expect(formatRate(share, 'en')).toBe(text);
});

test('a duration is shown in at most two units', async () => {
  const { formatSpan } = await load();
  expect(formatSpan(2 * 86_400 + 3 * 3_600 + 59, 'j')).toBe('2 j 3 h');
  expect(formatSpan(0, 'd')).toBe('0 s');
});
