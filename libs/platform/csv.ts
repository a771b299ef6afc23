/** A spreadsheet reads text that begins like this as a formula; a number it does not. */
const isFormula = (text: string): boolean =>
  /^[=+\-@\t\r]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text);

/** To a spreadsheet of another language these begin a cell, too. */
const INNER_CELL = /([;\t|])(?=[=+\-@])/g;

const cellOf = (text: string): string => {
  const safe = `${isFormula(text) ? "'" : ''}${text}`.replace(INNER_CELL, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One line as RFC 4180 has it, its end included. What a spreadsheet would run begins with `'`. */
export const csvLine = (texts: readonly string[]): string => `${texts.map(cellOf).join(',')}\r\n`;
