/**
 * The code with each character above U+00FF written as an escape.
 * @throws Error if a `String.raw` text contains such a character
 */
export function withOneByteCharacters(code: string): string;
