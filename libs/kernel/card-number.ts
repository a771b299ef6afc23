import { changeReadings, readingsOf } from './plain-text.js';

/** Whether the last digit is the Luhn check digit of the preceding digits (ISO/IEC 7812). */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/**
 * From this number of digits on, a card number may begin with any digit. Shorter card numbers, of
 * 13 and 14 digits, begin with 3 to 6, which distinguishes them from timestamps in milliseconds.
 */
const MIN_DIGITS_OF_ANY = 15;

/**
 * Matches 13 or more digits, with up to five characters that are not letters between two digits.
 */
const DIGIT_RUN = /(?<!\d)\d(?:[^\dA-Za-z]{0,5}\d){12,}/g;
/**
 * Matches digits that are separated by other characters, even letters. Because ids mix digits and
 * letters, all separators must be equal, and the digits must stand alone or in groups as on a card.
 */
const SPELLED =
  /(?<!\d)(?:\d{4}(\D{1,5})\d{4}\1\d{4}\1\d{1,7}|\d(\D{1,5})\d(?:\2\d){11,17})(?!\d)/g;

interface Span {
  readonly start: number;
  readonly end: number;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** A quick test that rules out most texts, so that only the remaining texts need the full check. */
const hasEnoughDigits = (plain: string): boolean => {
  const next = /\d/g;
  for (let digits = 0; digits < MIN_DIGITS; digits += 1) {
    if (!next.test(plain)) return false;
  }
  return true;
};

const isLetter = (code: number): boolean => (code > 64 && code < 91) || (code > 96 && code < 123);

/**
 * Whether the character begins an escape sequence in a URL (%), in HTML (&, <) or in source code
 * (\\).
 */
const isEscape = (code: number): boolean =>
  code === 37 || code === 38 || code === 60 || code === 92;

/**
 * A fast check that is false for most texts, ids and UUIDs. A plain ASCII text without an escape
 * sequence can contain a card number only in one of two cases: it has 13 digits without a letter
 * between them, or its digits are grouped as on a card or stand alone. If the result is false for a
 * text, it is also false for each JSON string and number in the text.
 */
export const mayHoldCard = (text: string): boolean => {
  let sinceLetter = 0;
  let groupLength = 0;
  let fours = 0;
  let singles = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      groupLength += 1;
      sinceLetter += 1;
      if (sinceLetter === MIN_DIGITS) return true;
      continue;
    }
    if (code > 127 || isEscape(code)) return true;
    if (isLetter(code)) sinceLetter = 0;
    if (groupLength === 0) continue;
    fours = groupLength === 4 ? fours + 1 : 0;
    singles = groupLength === 1 ? singles + 1 : 0;
    if (fours === 3 || singles === MIN_DIGITS - 1) return true;
    groupLength = 0;
  }
  return false;
};

/**
 * The digit groups of a text. Thanks to prefix sums, the Luhn sum of several adjacent groups is a
 * difference of two numbers.
 */
class DigitGroups {
  readonly spans: Span[] = [];
  /**
   * For each group: whether a card number of 13 or 14 digits may begin with the group's first
   * digit.
   */
  private readonly mayBeShort: boolean[] = [];
  /** The number of digits before each group; the last entry is the total. */
  private readonly before: number[] = [];
  /**
   * Prefix sums for the Luhn check: the first list doubles the digits at odd positions, the second
   * list those at even positions.
   */
  private readonly sums: readonly [number[], number[]] = [[0], [0]];

  constructor(run: string) {
    let digits = 0;
    let start = 0;
    for (let index = 0; index <= run.length; index += 1) {
      const code = run.charCodeAt(index);
      if (isDigit(code)) {
        this.add(code - 48, digits);
        digits += 1;
        continue;
      }
      if (index > start) {
        this.before.push(digits - (index - start));
        this.spans.push({ start, end: index });
        this.mayBeShort.push(/[3-6]/.test(run.charAt(start)));
      }
      start = index + 1;
    }
    this.before.push(digits);
  }

  /** The first card number that begins at the start of this group, or null. */
  cardFrom(first: number): Span | null {
    const { spans, before, mayBeShort } = this;
    const from = before[first] ?? 0;
    const least = mayBeShort[first] === true ? MIN_DIGITS : MIN_DIGITS_OF_ANY;
    for (let last = first; last < spans.length; last += 1) {
      const to = before[last + 1] ?? 0;
      if (to - from > MAX_DIGITS) return null;
      if (to - from < least || !this.passesLuhn(from, to)) continue;
      return { start: spans[first]?.start ?? 0, end: spans[last]?.end ?? 0 };
    }
    return null;
  }

  private add(digit: number, place: number): void {
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
    for (const [plainPlaces, sums] of this.sums.entries()) {
      sums.push((sums[place] ?? 0) + (place % 2 === plainPlaces ? digit : doubled));
    }
  }

  private passesLuhn(from: number, to: number): boolean {
    const sums = this.sums[to % 2 === 1 ? 0 : 1];
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 === 0;
  }
}

const cardsInRun = (run: string): readonly Span[] => {
  const groups = new DigitGroups(run);
  const cards: Span[] = [];
  for (const [first, { start }] of groups.spans.entries()) {
    const isInLast = start < (cards.at(-1)?.end ?? 0);
    const card = isInLast ? null : groups.cardFrom(first);
    if (card !== null) cards.push(card);
  }
  return cards;
};

/** The positions of possible card numbers in a plain text. */
const cardsIn = (plain: string): readonly Span[] => {
  if (!hasEnoughDigits(plain)) return [];
  return [DIGIT_RUN, SPELLED].flatMap((pattern) =>
    [...plain.matchAll(pattern)].flatMap(({ 0: run, index }) =>
      cardsInRun(run).map(({ start, end }) => ({ start: index + start, end: index + end })),
    ),
  );
};

/**
 * Whether a text may contain a card number: 13 to 19 digits that pass the Luhn check and have the
 * first digit of a card number of that length. The digits may be separated and of any script, but a
 * card number contains only whole groups of digits. Every input rejects such a text, except the
 * sandbox's payment page, so that no card number is stored, logged or published.
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
