/** NUL and half a surrogate pair, which a cut may leave, are in no database text. */
const UNSTORABLE = /[\p{Surrogate}\0]/gu;

/** The beginning of a text, as a database takes it: at most `maxChars` UTF-16 code units. */
export const storableText = (text: string, maxChars: number): string =>
  text.slice(0, maxChars).replace(UNSTORABLE, '\u{FFFD}');
