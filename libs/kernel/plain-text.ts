const NO_ASCII = /[^\0-\x7f]/;
const DIGIT = /\p{Nd}/u;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
/** Of each digit that was met: Unicode has some hundreds. */
const ascii = new Map<string, string>();

/** Unicode has the ten digits of each script in a row, from zero to nine. */
const asciiDigit = (digit: string): string => {
  const known = ascii.get(digit);
  if (known !== undefined) return known;
  const codePoint = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  const found = String(before % 10);
  ascii.set(digit, found);
  return found;
};

/**
 * A text as a reader takes it: full-width, circled and raised characters as the plain ones, and the
 * digits of every script as 0 to 9.
 */
export const plainText = (text: string): string =>
  NO_ASCII.test(text) ? text.normalize('NFKC').replace(OTHER_DIGIT, asciiDigit) : text;
