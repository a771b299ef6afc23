/** Spreadsheets interpret text that begins with these characters as a formula, except numbers. */
const isFormula = (text: string): boolean =>
  /^[=+\-@\t\r]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text);

/**
 * The cell separators of spreadsheets in other locales, if the following cell begins like a
 * formula.
 */
const INNER_CELL = /([;\t|])(?=[=+\-@])/g;

const cellOf = (text: string): string => {
  const safe = `${isFormula(text) ? "'" : ''}${text}`.replace(INNER_CELL, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/**
 * One line in RFC 4180 format, including its line end. Text that a spreadsheet would run as a
 * formula is prefixed with `'`.
 */
export const csvLine = (texts: readonly string[]): string => `${texts.map(cellOf).join(',')}\r\n`;
