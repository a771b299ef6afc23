import { Writable } from 'node:stream';
import fc from 'fast-check';
import { passesLuhn } from '#kernel';
import { createLogger, mayHoldCardNumber } from './index.js';
import { maskLine } from './masking.js';

const logged = (fields: object, message = 'm'): string => {
  let text = '';
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  createLogger('app', { destination, level: 'info', pretty: false }).info(fields, message);
  return text;
};

test.each([
  ['authorization', { headers: { authorization: 'Bearer abcdef' } }, 'abcdef'],
  ['cookie', { a: { b: { cookie: 'session=abcdef' } } }, 'abcdef'],
  ['secret', { webhookSecret: 'abc"def' }, 'def'],
  ['apiKey', { account: { apiKey: 'abcdef' } }, 'abcdef'],
  ['a key in a text', { detail: 'used stest_abcdefghijklmnop' }, 'ghijklmnop'],
  ["a partner's key in a text", { detail: 'used spart_live_abcdefghijklmnop' }, 'ghijklmnop'],
  ['a card number', { detail: 'card 4242 4242 4242 4242' }, '4242 4242 4242 4242'],
  ['a card number as a JSON number', { detail: 4242424242424242 }, '4242424242424242'],
  ['a card number over several lines', { detail: '4242\n4242\n4242\n4242' }, '4242\\n4242\\n4242'],
  [
    'a card number with wide spaces',
    { detail: '4242\u00a04242\u20094242  4242' },
    '4242\u00a04242',
  ],
  ['a card number in full-width digits', { detail: '\uff14\uff12'.repeat(8) }, '\uff14\uff12'],
  [
    'a card number as the name of a field',
    { inner: { '4242424242424242': 1 } },
    '4242424242424242',
  ],
])('a log line never contains: %s', (_, fields, hidden) => {
  const line = logged(fields);
  expect(line).not.toContain(hidden);
  expect(() => JSON.parse(line) as unknown).not.toThrow();
});

test.each([
  ['escaped', '/v1/orders/4242%204242%204242%204242'],
  ['escaped, with wide spaces', 'https://shop.example/?card=4242%C2%A04242%c2%a042424242'],
  ['escaped twice', 'https://shop.example/?to=%2Fpay%3Fcard%3D4242%25204242%25204242%25204242'],
  ['escaped, in full-width digits', '%EF%BC%94%EF%BC%92'.repeat(8)],
  ['after a % that may begin an escape', '100%4242424242424242'],
  [
    'with many invisible characters',
    '4242\u200b\u200b\u200b\u200b\u200b\u200b4242 4242\u2060 \u2060 \u2060 4242',
  ],
  ['with an invisible character, beside other digits', '12\u200b4242424242424242'],
])('a card number in a text from outside is detected and masked: %s', (_, text) => {
  expect(mayHoldCardNumber(text)).toBe(true);
  expect(logged({ path: text })).not.toMatch(
    /(?:4242|%EF%BC%94%EF%BC%92)[^"]*(?:4242|%EF%BC%94%EF%BC%92)/,
  );
});

test('the log line of a database error does not contain the rejected row', () => {
  const err = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=…' });
  expect(JSON.parse(logged({ err }))).toMatchObject({ err: { code: '23505' } });
  expect(logged({ err })).not.toContain('email');
});

test.each(['', '_1', '-1', '.'])('a UUID is not masked as a card number before %p', (end) => {
  const uuid = '42424242-4242-4242-a000-000000000000';
  for (const text of [uuid, `order_${uuid}`, `order${uuid}`, `4_${uuid}`]) {
    expect(mayHoldCardNumber(text + end)).toBe(false);
    expect(mayHoldCardNumber(`${text}${end} 4242424242424242`)).toBe(true);
  }
});

test('long numbers that are not card numbers are not masked', () => {
  const days = Array.from({ length: 28 }, (_, day) => String(day + 1).padStart(2, '0'));
  const texts = days.flatMap((day) =>
    days.flatMap((second) => [
      `2026-11-${day} 12:34:${second}.123+01`,
      `from 2026-11-${day}T10:00:${second}Z to 2026-12-${day}T10:00:00Z`,
      `https://shop.example/?at=2026-11-${day}T12%3A34%3A${second}Z&of=%7B${day}%7D`,
    ]),
  );
  expect(texts.filter(mayHoldCardNumber)).toEqual([]);
});

test('ids made of times and numbers are accepted as references and idempotency keys', () => {
  const numbers = Array.from({ length: 1_000 }, (_, n) => {
    const ms = 1_763_000_000_000 + n * 7_919;
    return [
      `order-${ms}`,
      `refund-${20_000 + n}-${ms}`,
      `refund-${6_000 + n}-${ms}`,
      `shop-${4_000 + n}-20261122-${1_000 + n}`,
      `ORD-20261122-${String((n * 991) % 1_000_000).padStart(6, '0')}`,
      `${ms}${String(n).padStart(3, '0')}`,
      `${ms}${String(n).padStart(6, '0')}`,
      String((BigInt(ms) << 20n) + BigInt(n)),
      `${ms}.${ms + 1}`,
    ];
  }).flat();
  expect(numbers.filter(mayHoldCardNumber)).toEqual([]);
});

test('the numbers of all card networks are detected and masked as people type them', () => {
  const networks: readonly (readonly [string, number])[] = [
    ['4', 13],
    ['4', 16],
    ['4', 19],
    ['51', 16],
    ['2221', 16],
    ['2720', 16],
    ['2200', 16],
    ['34', 15],
    ['37', 15],
    ['36', 14],
    ['3528', 16],
    ['6011', 16],
    ['62', 19],
    ['50', 13],
    ['6759', 18],
    ['9999', 16],
  ];
  const typedAs: readonly ((number: string) => string)[] = [
    (number) => number,
    (number) => number.replace(/(.{4})(?=.)/g, '$1 '),
    (number) => number.replace(/(.{4})(?=.)/g, '$1-'),
    (number) => number.replace(/^(.{4})(.{4})(.{4})/, '$1.$2.$3.'),
    (number) => number.replace(/(.)(?=.)/g, '$1 '),
    (number) => `pay with ${number}, 12/27, 123`,
    (number) => `${number.replace(/(.{4})(?=.)/g, '$1 ')} 12/27 123`,
    (number) => `card_${number}_x`,
  ];
  const numbers = networks.flatMap(([start, length]) =>
    Array.from({ length: 20 }, (_, n) => {
      const digits =
        start +
        String(n * 7_919_003_777)
          .padStart(16, '7')
          .repeat(2);
      const most = digits.slice(0, length - 1);
      return [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((last) => `${most}${last}`).find(passesLuhn) ?? '';
    }),
  );
  const texts = numbers.flatMap((number) => typedAs.map((typed) => typed(number)));
  expect(texts.filter((text) => !mayHoldCardNumber(text))).toEqual([]);
  expect(texts.filter((text) => logged({ text }).includes(text))).toEqual([]);
  const american = numbers.filter(({ length }) => length === 14 || length === 15);
  const grouped = american.map((number) => number.replace(/^(.{4})(.{6})/, '$1 $2 '));
  expect(grouped.filter((text) => !mayHoldCardNumber(text))).toEqual([]);
});

test('adjacent numbers of a log line are not treated as one card number', () => {
  const line = logged({ ports: [4242, 4242, 4242, 4242], n: 4242424242424242 });
  expect(JSON.parse(line)).toMatchObject({
    ports: [4242, 4242, 4242, 4242],
    n: '************4242',
  });
});

test('the check of a whole log line masks the same as the check of its values one by one', () => {
  const seen = { masked: 0, unchanged: 0 };
  const part = fc.constantFrom('4242', '42', '4', '2', ' ', '-', '.', 'a', 'é', '%', '"');
  const digits = fc.constantFrom('4242424242424242', '4242 4242 4242 4242', 4_242_424_242_424_242);
  const text = fc.array(part, { maxLength: 24 }).map((parts) => parts.join(''));
  const value = fc.oneof(text, text, digits, fc.array(fc.constantFrom(4242, '4242', 4, 2)));
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(text, fc.constant('a')), value, { maxKeys: 3 }),
      (fields) => {
        const line = JSON.stringify({ ...fields, z: 'e' });
        // The values of a line with a character outside ASCII are always checked one by one.
        const full = maskLine(line.replace(/e"}$/, 'é"}')).replace(/é"}$/, 'e"}');
        seen[full === line ? 'unchanged' : 'masked'] += 1;
        return maskLine(line) === full;
      },
    ),
    { numRuns: 2_000 },
  );
  expect(Math.min(seen.masked, seen.unchanged)).toBeGreaterThan(100);
});
