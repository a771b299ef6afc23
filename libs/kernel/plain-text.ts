const NO_ASCII = /[^\0-\x7f]/;
const DIGIT = /\p{Nd}/u;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
/** As addresses are written; one within another has its `%` escaped again. */
const ESCAPES = /(?:%(?:25)*[\da-f]{2})+/gi;
const utf8 = new TextDecoder();
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

const unescaped = (escapes: string): string =>
  utf8.decode(Uint8Array.from(escapes.split('%').slice(1), (hex) => parseInt(hex.slice(-2), 16)));

const isDigitAt = (text: string, index: number): boolean => /\d/.test(text.charAt(index));

/** Nobody sees them; but digits that they alone keep apart stay apart. */
const withoutUnseen = (text: string): string =>
  text.replace(UNSEEN, (unseen: string, index: number) =>
    (isDigitAt(text, index - 1) && isDigitAt(text, index + unseen.length) ? '\u200b' : ''));

/**
 * A text as a reader takes it: full-width, circled and raised characters as the plain ones, the digits
 * of every script as 0 to 9, and what is invisible left out.
 */
const plainText = (text: string): string =>
  NO_ASCII.test(text)
    ? withoutUnseen(text.normalize('NFKC').replace(OTHER_DIGIT, asciiDigit)) : text;

/**
 * The plain text of what is written, and of what it stands for where it has escapes of addresses: in
 * `100%4111…` the sign may be one or none.
 */
export const readingsOf = (text: string): readonly string[] => {
  const written = plainText(text);
  if (!text.includes('%')) return [written];
  const meant = text.replace(ESCAPES, unescaped);
  return meant === text ? [written] : [written, plainText(meant)];
};
