import { countrySpecs, isValidIBAN } from 'ibantools';
import { plainText } from '#kernel';
import { withoutHarmlessDigits } from './masking.js';

const MIN_CHARS = 15;
/** As many characters between two of a number are taken for its separators. */
const MAX_GAP = 5;
/** A country and two check digits; looked for at every letter, as words may stand before it. */
const START = /(?=[A-Z]{2}\d\d)/g;

/** Letters and digits alone; what stands far apart is kept apart. */
const compact = (text: string): string =>
  withoutHarmlessDigits(plainText(text)).toUpperCase()
    .replace(/[^0-9A-Z]+/g, (gap) => (gap.length > MAX_GAP ? ' ' : ''));

/** Whether a text holds a valid IBAN, whatever characters it is typed with. */
export const mayHoldIban = (text: string): boolean => {
  if (text.length < MIN_CHARS) return false;
  const typed = compact(text);
  return [...typed.matchAll(START)].some(({ index }) => {
    const chars = countrySpecs[typed.slice(index, index + 2)]?.chars;
    return chars !== undefined && chars !== null && isValidIBAN(typed.slice(index, index + chars));
  });
};
