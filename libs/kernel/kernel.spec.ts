import { assert } from './assert.js';
import { holdsCardNumber, withoutCardNumbers } from './card-number.js';
import { instantFromMs, parseDurationMs, parseInstant, plusMs } from './instant.js';
import { Rejection } from './rejection.js';

const code = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Rejection) return error.code;
    throw error;
  }
  return 'accepted';
};

describe('time', () => {
  test('an instant needs a time zone, and is stored in UTC', () => {
    expect(parseInstant('2026-03-01T12:00:00+02:00')).toBe('2026-03-01T10:00:00.000Z');
    expect(code(() => parseInstant('2026-03-01T12:00:00'))).toBe('invalid_instant');
    expect(code(() => parseInstant('tomorrow'))).toBe('invalid_instant');
  });

  test('a duration may contain days, hours, minutes and seconds', () => {
    expect(parseDurationMs('P7D')).toBe(604_800_000);
    expect(parseDurationMs('P1DT12H')).toBe(129_600_000);
    expect(parseDurationMs('PT90S')).toBe(90_000);
    for (const text of ['P', 'PT', 'P1M', '7D', 'PT0S', 'P-1D', '']) {
      expect(code(() => parseDurationMs(text))).toBe('invalid_duration');
    }
  });

  test('instants sort as text, and a duration can be added to an instant', () => {
    const noon = instantFromMs(Date.UTC(2026, 2, 1, 12));
    expect(plusMs(noon, 1) > noon).toBe(true);
  });
});

describe('the check for card numbers', () => {
  test.each([
    '4242424242424242',
    'order 4242-4242-4242-4242',
    '4242 4242 4242 4242!',
    '378282246310005',
    // Payers may type further digits after the card number: a security code, an expiry date, a
    // second card number.
    '4242 4242 4242 4242 123',
    '4242424242424242 123',
    '4242424242424242 12/27',
    '4242-4242-4242-4242-12-27',
    'order 12 4242424242424242',
    '1 2 3 4242 4242 4242 4242 9 8 7',
    // Any characters may separate the digits if a reader still recognises one number.
    '4242\u00a04242\u00a04242\u00a04242',
    '4242\u20094242\u20094242\u20094242',
    '4242  4242  4242  4242',
    '4242\t4242\t4242\t4242',
    '4242\r\n4242\r\n4242\r\n4242',
    '4242/4242/4242/4242',
    '4242_4242_4242_4242',
    '4242,4242,4242,4242',
    '4242 | 4242 | 4242 | 4242',
    '4242\u20134242\u20144242\u22124242',
    '4242 - 4242 - 4242 - 4242',
    '4.2.4.2.4.2.4.2.4.2.4.2.4.2.4.2',
    '4242\u200b4242\u200c4242\u20604242',
    '4\u200b2'.repeat(8),
    '4242\ufeff424242424242',
    // The groups may be those of other cards: of 13, 14, 15, 18 and 19 digits.
    '4222 2222 2222 2',
    '3056 930902 5904',
    '3782 822463 10005',
    '3782-822463-10005',
    '6759 0000 0000 0000 00',
    '6304 0000 0000 0000 000',
    '6304 0000 0000 0000000',
    // The digits may be of any script.
    '\uff14\uff12'.repeat(8),
    '\u0664\u0662'.repeat(8),
    '\u{1d7d2}\u{1d7d0}'.repeat(8),
    '\u2463\u2461'.repeat(8),
    '4\u0336' + '242424242424242',
    // The digits may be escaped as in HTML, URLs or source code.
    '4242&nbsp;4242&nbsp;4242&nbsp;4242',
    '4242&#160;4242&#xa0;4242&thinsp;4242',
    '&#52;&#50;'.repeat(8),
    '&#x34;&#X0032'.repeat(8),
    '&amp;#52;&amp;#50;'.repeat(8),
    '<b>4242</b> <b>4242</b><b>4242</b><br/>4242',
    String.raw`\x34\u0032`.repeat(8),
    String.raw`4242\u00a04242\n4242\\u{2009}4242`,
  ])('finds the card number in %p', (text) => expect(holdsCardNumber(text)).toBe(true));

  test.each([
    '4242424242424241',
    // The Luhn check is passed, but no card has these groups, or this beginning and length.
    '424242 4242424242',
    '42 42 42 42 42 42 42 42',
    '4242-20260101-0004',
    '124242424242427',
    '424242424242424',
    '424242424242',
    '42424242424242424242',
    'ord_4242424242a42424',
    '',
    '4242 4242 4242 4241 125',
    '2026-03-01 12.00.00',
    '42424242424243 4242424242424242424242',
    '4242 in the first, 4242 in the second, 4242 in the third, 4242 in the last',
    '2026-03-01T12:00:00.004Z',
    'R&D 2026 & <b>12</b> of 4242; C:\\new\\x86 &#x20AC;42,42 &#9999999;',
    '\u0661\u0662\u0663',
    'caf\u00e9 \u2462',
  ])('finds no card number in %p', (text) => expect(holdsCardNumber(text)).toBe(false));
});

test.each([
  ['4242 4242-4242 4242', '***************4242'],
  ['4242424242424242 123', '************4242 123'],
  ['a 4242424242424242 b 378282246310005', 'a ************4242 b ***********0005'],
  ['\uff14\uff12'.repeat(8), '************4242'],
  ['4242424242424241 caf\u00e9 \uff14', '4242424242424241 caf\u00e9 \uff14'],
])('masking the card numbers in %p leaves their last four digits', (text, masked) =>
  expect(withoutCardNumbers(text)).toBe(masked),
);

test('the message of a failed assertion does not read as if the assertion held, because operators read it', () => {
  expect(() => assert(false, 'the provider account acc_1 exists')).toThrow(
    'internal error, this must hold: the provider account acc_1 exists',
  );
});
