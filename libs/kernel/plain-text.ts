const NO_ASCII = /[^\0-\x7f]/;
const DIGIT = /\p{Nd}/u;

/** Unicode has the ten digits of each script in a row, from zero to nine. */
const asciiDigit = (digit: string): string => {
  const codePoint = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return String(before % 10);
};

/**
 * A text as a reader takes it: full-width, circled and raised characters as the plain ones, and the
 * digits of every script as 0 to 9.
 */
export const plainText = (text: string): string =>
  NO_ASCII.test(text)
    ? text.normalize('NFKC').replace(/[^\0-\x7f]/gu, (one) => (DIGIT.test(one) ? asciiDigit(one) : one))
    : text;
