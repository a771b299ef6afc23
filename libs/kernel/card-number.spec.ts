import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { holdsCardNumber, withoutCardNumbers } from './card-number.js';

/**
 * A program that runs the check in another process. For each text it prints how often V8 executed
 * the code blocks of `card-number.ts` and `plain-text.ts`. Unlike durations, these numbers are the
 * same on every machine.
 */
const COUNT = `
  import { Session } from 'node:inspector/promises';
  import { readFileSync } from 'node:fs';
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const { holdsCardNumber } = await import(process.argv[1]);
  const isOne = ({ url }) => /\\/(card-number|plain-text)\\.ts$/.test(url);
  const loaded = await session.post('Profiler.takePreciseCoverage');
  if (loaded.result.filter(isOne).length !== 2) throw new Error('the files have other names');
  const counts = [];
  for (const text of JSON.parse(readFileSync(0, 'utf8'))) {
    if (holdsCardNumber(text)) throw new Error('the text holds a card number');
    // Each call of takePreciseCoverage resets the counters to zero.
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ranges = result.filter(isOne).flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
    counts.push(ranges.reduce((sum, { count }) => sum + count, 0));
  }
  process.stdout.write(JSON.stringify(counts));`;

const stepsOf = (texts: readonly string[]): readonly number[] =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        // These arguments make the process load TypeScript sources, as Jest does.
        ...process.execArgv,
        '--input-type=module',
        '-e',
        COUNT,
        new URL('card-number.ts', import.meta.url).href,
      ],
      { encoding: 'utf8', input: JSON.stringify(texts) },
    ),
  ) as number[];

/**
 * A test case: the name of the text, the part that is repeated to build the text, and the maximum
 * number of executed blocks per character of the text.
 */
const PARTS: readonly (readonly [string, string, number])[] = [
  ['digits one by one', '1 ', 100],
  ['digits of cards one by one', '6 5 ', 300],
  ['digits far apart', '1     ', 40],
  ['digits spelled', '1a', 20],
  ['digits of another script', '\u0661a', 20],
  ['one character for a whole sentence', '\ufdfa', 5],
  ['names of characters', '1&a', 30],
  ['tags that never end', '1<', 100],
  ['escaped digits', '&#49;a', 30],
  ['quoted escapes', '\\\\\\x31', 30],
  ['words', 'a few words ', 10],
];

describe('the check for card numbers executes a limited number of code blocks per character', () => {
  const texts = PARTS.map(([, part]) => part.repeat(30_000 / part.length));
  let steps: readonly number[];
  beforeAll(() => {
    steps = stepsOf(texts);
  });

  test.each(PARTS.map(([name, , most], index) => [name, index, most] as const))(
    'in a long text of %s',
    (_, index, most) => {
      expect((steps[index] ?? Infinity) / (texts[index]?.length ?? 0)).toBeLessThan(most);
    },
  );
});

test.each([
  ['at the end of other groups', '12 4242 4242 4242 4242', '12 ***************4242'],
  ['before another group', '4242 4242 4242 4242 12', '***************4242 12'],
  [
    'each time if the text contains two',
    '4242424242424242, 5555 5555 5555 4444',
    '************4242, ***************4444',
  ],
  [
    'if it has 13 or 19 digits',
    '4222222222222 x 6304000000000000000',
    '*********2222 x ***************0000',
  ],
  [
    'in escaped angle brackets',
    '%3C4242%3E %3C4242%3E %3C4242%3E %3C4242%3E',
    '<*********************4242>',
  ],
])('a card number is masked %s', (_, text, masked) => {
  expect(withoutCardNumbers(text)).toBe(masked);
});

test('a card number within a longer group of digits is not masked', () => {
  expect(withoutCardNumbers('1 94242424242424242')).toBe('1 94242424242424242');
});

const CARD = '4242424242424242';
const gap = fc.stringMatching(/^[ a-f.:-]{0,6}$/);
/**
 * A card number with other characters before and after it; its digits are grouped and separated as
 * in ids, or as people type card numbers.
 */
const spaced = fc
  .tuple(fc.constantFrom([1], [4], [4, 2], [8], [16], [3, 1]), gap, gap, gap)
  .map(([lengths, between, before, after]) => {
    const groups: string[] = [];
    for (let at = 0, index = 0; at < CARD.length; index += 1) {
      const length = lengths[index % lengths.length] ?? 1;
      groups.push(CARD.slice(at, at + length));
      at += length;
    }
    return before + groups.join(between) + after;
  });

test('the shortcut of the card number check for plain ASCII gives the same result as the full check', () => {
  const text = fc.oneof(
    spaced,
    fc.uuid(),
    fc.stringMatching(/^[0-9a-c .-]{0,60}$/),
    fc.stringMatching(/^[0-9 ]{0,40}$/),
  );
  fc.assert(
    fc.property(text, (plain) => {
      expect(holdsCardNumber(plain)).toBe(holdsCardNumber(`${plain} é`));
    }),
    { numRuns: 20_000 },
  );
});
