import { countrySpecs, isValidIBAN } from 'ibantools';
import { readingsOf } from '#kernel';
import { withoutHarmlessDigits } from './masking.js';

const MIN_CHARS = 15;
/** As many characters between two of a number are taken for its separators. */
const MAX_GAP = 5;
/** What most texts have not, so that they cost no more than this. */
const BEGINNING = /[A-Za-z][^0-9A-Za-z]{0,5}[A-Za-z][^0-9A-Za-z]{0,5}\d[^0-9A-Za-z]{0,5}\d/;
/** A country and two check digits; looked for at every letter, as words may stand before it. */
const START = /(?=[A-Z]{2}\d\d)/gi;
/** An account number may have as many letters in any mixture of cases. */
const FEW_LETTERS = 6;

/** Letters and digits alone; what stands far apart is kept apart. */
const compact = (text: string): string =>
  withoutHarmlessDigits(text).replace(/[^0-9A-Z]+/gi, (gap) => (gap.length > MAX_GAP ? ' ' : ''));

/** Of random ids two in a million are one in capitals; people write many letters in one case. */
const isWritten = (typed: string): boolean => {
  const letters = typed.replace(/\d/g, '');
  return (
    letters.length < FEW_LETTERS ||
    letters === letters.toUpperCase() ||
    letters === letters.toLowerCase()
  );
};

/** Whether a text holds a valid IBAN, whatever characters it is typed with. */
export const mayHoldIban = (text: string): boolean =>
  text.length >= MIN_CHARS && readingsOf(text).some(holdsIban);

const holdsIban = (plain: string): boolean => {
  // A letter and its accent are two characters: É is E, and a mark beside it.
  const letters = plain.normalize('NFD');
  if (!BEGINNING.test(letters)) return false;
  const typed = compact(letters);
  return [...typed.matchAll(START)].some(({ index }) => {
    const chars = countrySpecs[typed.slice(index, index + 2).toUpperCase()]?.chars ?? 0;
    const number = typed.slice(index, index + chars);
    return chars > 0 && isWritten(number) && isValidIBAN(number.toUpperCase());
  });
};
