import { plainText } from './plain-text.js';

/** Whether the last of some digits is the check digit of the others (ISO/IEC 7812). */
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

/** What most texts have not, so that they cost no more than this. */
const ENOUGH_DIGITS = /\d(?:\D*\d){12}/;
/** 13 digits or more, with at most five characters between two of them that are no letters. */
const DIGIT_RUN = /(?<!\d)\d(?:[^\dA-Za-z]{0,5}\d){12,}/g;
/**
 * Letters stand between digits in every id. They are taken for separators where each gap is the
 * same and the digits are grouped as on a card, or one by one.
 */
const SPELLED = /(?<!\d)(?:\d{4}(\D{1,5})\d{4}\1\d{4}\1\d{1,7}|\d(\D{1,5})\d(?:\2\d){11,17})(?!\d)/g;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whole neighbouring groups that make a card number; others may stand before and after them. */
const spanFrom = (groups: readonly RegExpExecArray[]): Span | null => {
  let digits = '';
  for (const group of groups.slice(0, MAX_DIGITS)) {
    digits += group[0];
    if (digits.length > MAX_DIGITS) return null;
    if (digits.length < MIN_DIGITS || !passesLuhn(digits)) continue;
    return { start: groups[0]?.index ?? 0, end: group.index + group[0].length };
  }
  return null;
};

const spansInRun = (run: string): readonly Span[] => {
  const groups = [...run.matchAll(/\d+/g)];
  const spans: Span[] = [];
  for (const [first, { index }] of groups.entries()) {
    const isInLast = index < (spans.at(-1)?.end ?? 0);
    const span = isInLast ? null : spanFrom(groups.slice(first, first + MAX_DIGITS));
    if (span !== null) spans.push(span);
  }
  return spans;
};

/** Where in a plain text the numbers stand that may be those of cards. */
const cardsIn = (plain: string): readonly Span[] => {
  if (!ENOUGH_DIGITS.test(plain)) return [];
  return [DIGIT_RUN, SPELLED].flatMap((pattern) =>
    [...plain.matchAll(pattern)].flatMap(({ 0: run, index }) =>
      spansInRun(run).map(({ start, end }) => ({ start: index + start, end: index + end }))));
};

/**
 * Whether a text holds what may be a card number: 13 to 19 digits that pass Luhn, in whole groups,
 * whatever characters of whatever script they are typed with. Such a text is refused at every door
 * but the sandbox's page, so that none is ever stored, logged or published.
 */
export const holdsCardNumber = (text: string): boolean => {
  if (text.length < MIN_DIGITS / 2) return false;
  return cardsIn(plainText(text)).length > 0;
};

/** The text, with each possible card number but its last four characters replaced. */
export const withoutCardNumbers = (text: string): string => {
  let plain = plainText(text);
  const cards = cardsIn(plain);
  for (const { start, end } of cards) {
    plain = plain.slice(0, start) + '*'.repeat(end - start - 4) + plain.slice(end - 4);
  }
  return cards.length === 0 ? text : plain;
};
