/**
 * Characters that PostgreSQL cannot store: NUL, and half of a surrogate pair, which truncation may
 * leave.
 */
const UNSTORABLE = /[\p{Surrogate}\0]/gu;

/**
 * The beginning of a text without characters that PostgreSQL cannot store: at most `maxChars`
 * UTF-16 code units.
 */
export const storableText = (text: string, maxChars: number): string =>
  text.slice(0, maxChars).replace(UNSTORABLE, '\u{FFFD}');
