/**
 * Whether a spreadsheet would take the text for a formula: the text begins with one of these
 * characters and is not a number.
 */
const isFormula = (text: string): boolean =>
  /^[=+\-@\t\r]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text);

/**
 * Matches a cell separator of some locales, or a line end, that is followed by the beginning of a
 * formula. Some programs begin a new cell there, although the text is quoted.
 */
const INNER_CELL = /([;\t|\r\n])(?=[=+\-@])/g;

const cellOf = (text: string): string => {
  const safe = `${isFormula(text) ? "'" : ''}${text}`.replace(INNER_CELL, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/**
 * One line in RFC 4180 format, including its line end. A `'` is put before text that a spreadsheet
 * would otherwise execute as a formula.
 */
export const csvLine = (texts: readonly string[]): string => `${texts.map(cellOf).join(',')}\r\n`;
