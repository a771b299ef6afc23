/** A spreadsheet takes what begins like this for a formula, whoever wrote it; not a number. */
const isFormula = (text: string): boolean =>
  /^[=+\-@\t\r]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text);

const cellOf = (text: string): string => {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One line as RFC 4180 has it, its end included. What a spreadsheet would run begins with `'`. */
export const csvLine = (texts: readonly string[]): string => `${texts.map(cellOf).join(',')}\r\n`;
