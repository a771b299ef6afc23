/**
 * The code with each character above U+00FF written as an escape.
 * @throws Error if a `String.raw` text contains such a character
 */
export function withOneByteCharacters(code: string): string;

/**
 * The source map in which the lines of npm packages are marked as unmapped.
 * @param text JSON of a source map whose lines of packages have no mappings
 */
export function withoutPackages(text: string): string;
