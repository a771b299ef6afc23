import { changeReadings, readingsOf, UNSEEN_SEPARATOR } from './plain-text.js';

/** Whether the last digit is the Luhn check digit of the preceding digits (ISO/IEC 7812). */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/**
 * Matches 13 or more digits, with up to five characters that are not letters between two digits.
 */
const DIGIT_RUN = /(?<!\d)\d(?:[^\dA-Za-z]{0,5}\d){12,}/g;

/**
 * Matches digits with the beginning and length of an issued card number. Other numbers, such as
 * times since 1970 and ids that begin with a time, would pass the Luhn check in one of ten cases.
 */
const ISSUED = new RegExp(
  `^(?:${[
    // Visa.
    '4(?:\\d{12}|\\d{15}|\\d{18})',
    // Mastercard and Mir.
    '(?:5[1-5]|2[2-7])\\d{14}',
    // American Express.
    '3[47]\\d{13}',
    // Diners Club and JCB.
    '3[0689]\\d{12,17}|35\\d{14,17}',
    // Maestro, Discover, UnionPay and RuPay.
    '(?:50|5[6-9]|6\\d)\\d{11,17}',
    // National networks, and the sandbox's test cards.
    '[89]\\d{15}',
  ].join('|')})$`,
);

/**
 * Matches digits as people type a card number: without separators, in groups of four (of which the
 * first two or the last two may be joined), in the groups of an American Express card, or one by
 * one. All separators are spaces here.
 */
const TYPED = new RegExp(
  `^(?:${[
    '\\d{13,19}',
    '(?:\\d{4} ){3}\\d{1,7}',
    '(?:\\d{4} ){4}\\d{1,3}',
    '\\d{4} ?\\d{4} \\d{4} ?\\d{4}',
    '\\d{4} \\d{6} \\d{4,9}',
    '\\d(?: \\d){12,18}',
  ].join('|')})$`,
);

interface Span {
  readonly start: number;
  readonly end: number;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const isLetter = (code: number): boolean => (code > 64 && code < 91) || (code > 96 && code < 123);

/**
 * Whether the character begins an escape sequence in a URL (%), in HTML (&, <) or in source code
 * (\\).
 */
const isEscape = (code: number): boolean =>
  code === 37 || code === 38 || code === 60 || code === 92;

/**
 * A fast check that is false for most texts, ids and UUIDs: a plain ASCII text without an escape
 * sequence can contain a card number only if it has 13 digits without a letter between them. If the
 * result is false for a text, it is also false for each JSON string and number in the text.
 */
export const mayHoldCard = (text: string): boolean => {
  let sinceLetter = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      sinceLetter += 1;
      if (sinceLetter === MIN_DIGITS) return true;
    } else if (isLetter(code)) sinceLetter = 0;
    else if (code > 127 || isEscape(code)) return true;
  }
  return false;
};

/** Digits as typed, with a space for each separator that a person sees. */
const asTyped = (text: string): string =>
  text.replaceAll(UNSEEN_SEPARATOR, '').replace(/\D+/g, ' ');

/** Digits without a separator; `before` is the number of digits before them in the run. */
interface Group extends Span {
  readonly before: number;
}

const groupsIn = (run: string): readonly Group[] => {
  let before = 0;
  return [...run.matchAll(/\d+/g)].map(({ 0: { length }, index: start }) => {
    before += length;
    return { start, end: start + length, before: before - length };
  });
};

const cardsInRun = (run: string): readonly Span[] => {
  const groups = groupsIn(run);
  const digits = run.replace(/\D+/g, '');
  /** The first card number that begins at the start of this group, or null. */
  const cardFrom = ({ start, before }: Group, first: number): Span | null => {
    for (let next = first; next < groups.length; next += 1) {
      const end = groups[next]?.end ?? 0;
      const after = groups[next + 1]?.before ?? digits.length;
      if (after - before > MAX_DIGITS) return null;
      if (after - before < MIN_DIGITS) continue;
      const number = digits.slice(before, after);
      const isCard = ISSUED.test(number) && passesLuhn(number);
      if (isCard && TYPED.test(asTyped(run.slice(start, end)))) return { start, end };
    }
    return null;
  };
  const cards: Span[] = [];
  for (const [first, group] of groups.entries()) {
    const isInLast = group.start < (cards.at(-1)?.end ?? 0);
    const card = isInLast ? null : cardFrom(group, first);
    if (card !== null) cards.push(card);
  }
  return cards;
};

/** The positions of possible card numbers in a plain text. */
const cardsIn = (plain: string): readonly Span[] =>
  [...plain.matchAll(DIGIT_RUN)].flatMap(({ 0: run, index }) =>
    cardsInRun(run).map(({ start, end }) => ({ start: index + start, end: index + end })),
  );

/**
 * Whether a text may contain a card number: 13 to 19 digits that pass the Luhn check, have the
 * beginning and length of an issued card number, and are typed like one. The digits may be of any
 * script. Every input rejects such a text, except the sandbox's payment page, so that no card
 * number is stored, logged or published.
 */
export const holdsCardNumber = (text: string): boolean => {
  if (!mayHoldCard(text)) return false;
  return readingsOf(text).some((plain) => cardsIn(plain).length > 0);
};

/**
 * Masks the card numbers that are found in `reading`, a plain form of `text`. If there is no card
 * number, `text` is returned unchanged.
 */
const masked = (text: string, reading: string): string => {
  let plain = reading;
  const cards = cardsIn(plain);
  for (const { start, end } of cards) {
    plain = plain.slice(0, start) + '*'.repeat(end - start - 4) + plain.slice(end - 4);
  }
  return cards.length === 0 ? text : plain;
};

/** The text with all but the last four characters of each possible card number replaced. */
export const withoutCardNumbers = (text: string): string => changeReadings(text, masked);
