const NO_ASCII = /[^\0-\x7f]/;
const DIGIT = /\p{Nd}/u;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
/** Matches invisible characters, and marks over or around other characters. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{M}]+/gu;
/** Replaces an invisible character between two digits. */
export const UNSEEN_SEPARATOR = '\u200b';
/** Matches URL escapes; in a URL within another URL the `%` is escaped again. */
const OF_ADDRESSES = /(?:%(?:25)*[\da-f]{2})+/gi;
/** Matches HTML: character references such as `&#60;` and `&lt;`, and tags. */
const OF_PAGES =
  /&(?:amp;)*#(?:0*(\d{1,7})|x0*([\da-f]{1,6}));?|&(?:amp;)*[a-z]{2,16};|(?:<[^<>]*>\s*)+/gi;
/**
 * Matches escapes of source code. Each time that code is quoted, the number of `\` grows, so any
 * number of `\` is matched.
 */
const OF_PROGRAMS = /(?<!\\)\\+(?:u([\da-f]{4})|u\{0*([\da-f]{1,6})\}|x([\da-f]{2})|[nrtvf])/gi;
const MAY_ESCAPE = /[%&<\\]/;
const utf8 = new TextDecoder();
/** A cache of converted digits: Unicode has several hundred. */
const ascii = new Map<string, string>();

/** Unicode assigns the ten digits of each script consecutive code points, from zero to nine. */
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

const bytesOf = (escapes: string): string =>
  utf8.decode(Uint8Array.from(escapes.split('%').slice(1), (hex) => parseInt(hex.slice(-2), 16)));

const MAX_CODE_POINT = 0x10ffff;

const character = (code: number): string =>
  code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : ' ';

/**
 * Decodes an HTML escape. Only numeric escapes encode digits; a named escape or a tag becomes a
 * space.
 */
const ofPage = (_: string, decimal?: string, hex?: string): string => {
  if (decimal !== undefined) return character(Number(decimal));
  return hex === undefined ? ' ' : character(parseInt(hex, 16));
};

const ofProgram = (_: string, ...hex: readonly (string | undefined)[]): string => {
  const code = hex.slice(0, 3).find((one) => one !== undefined);
  return code === undefined ? ' ' : character(parseInt(code, 16));
};

/** Decodes the escapes of URLs and source code. */
const unescaped = (text: string): string =>
  text.replace(OF_ADDRESSES, bytesOf).replace(OF_PROGRAMS, ofProgram);

const isDigitAt = (text: string, index: number): boolean => /\d/.test(text.charAt(index));

/**
 * Removes invisible characters. An invisible character between two digits is replaced by a
 * separator, so that the digits do not become one number.
 */
const withoutUnseen = (text: string): string =>
  text.replace(UNSEEN, (unseen: string, index: number) =>
    isDigitAt(text, index - 1) && isDigitAt(text, index + unseen.length) ? UNSEEN_SEPARATOR : '',
  );

/**
 * Normalises a text: full-width, circled and superscript characters become plain characters, digits
 * of all scripts become 0 to 9, and invisible characters are removed.
 */
const plainText = (text: string): string =>
  NO_ASCII.test(text)
    ? withoutUnseen(text.normalize('NFKC').replace(OTHER_DIGIT, asciiDigit))
    : text;

/** Whether a text contains escapes. */
const mayEscape = (text: string): boolean => MAY_ESCAPE.test(text);

/**
 * The ways to read a text: as written; with the escapes of URLs and source code decoded; and with
 * the escapes of HTML decoded, too.
 */
const READINGS: readonly ((text: string) => string)[] = [
  plainText,
  (text) => plainText(unescaped(text)),
  (text) => plainText(unescaped(text).replace(OF_PAGES, ofPage)),
];

/**
 * All plain forms of a text, because a text can be read in several ways: in `100%4111…` the `%` may
 * or may not begin an escape, and `<4242>` may be a tag or a number.
 */
export const readingsOf = (text: string): readonly string[] =>
  mayEscape(text) ? [...new Set(READINGS.map((read) => read(text)))] : [plainText(text)];

/**
 * Applies `change` to each plain form of the text in turn; each change starts from the result of
 * the previous change.
 */
export const changeReadings = (
  text: string,
  change: (text: string, reading: string) => string,
): string => READINGS.reduce((left, read) => change(left, read(left)), text);
