import { countrySpecs, isValidIBAN } from 'ibantools';
import { readingsOf } from '#kernel';
import { withoutUuids } from './masking.js';

const MIN_CHARS = 15;
/** The maximum number of characters between two letters or digits of an IBAN. */
const MAX_GAP = 5;
/** A quick test that rules out most texts, so that only the remaining texts need the full check. */
const BEGINNING = /[A-Za-z][^0-9A-Za-z]{0,5}[A-Za-z][^0-9A-Za-z]{0,5}\d[^0-9A-Za-z]{0,5}\d/;
/**
 * The beginning of an IBAN: a country code and two check digits. The search starts at each letter,
 * because a word may stand directly before the IBAN.
 */
const START = /(?=[A-Z]{2}\d\d)/gi;
/**
 * The maximum number of letters of an IBAN in mixed case. In some countries an account number
 * contains many letters; but a text with so many letters in mixed case is more likely a random id.
 */
const FEW_LETTERS = 6;

/**
 * Removes the separators; a sequence of separators that is too long for an IBAN becomes a space.
 */
const compact = (text: string): string =>
  withoutUuids(text).replace(/[^0-9A-Z]+/gi, (gap) => (gap.length > MAX_GAP ? ' ' : ''));

/**
 * Whether a person may have typed the text as an IBAN: people write all its letters in one case.
 * Without this rule, two in a million random ids would be taken for an IBAN.
 */
const isWritten = (typed: string): boolean => {
  const letters = typed.replace(/\d/g, '');
  return (
    letters.length < FEW_LETTERS ||
    letters === letters.toUpperCase() ||
    letters === letters.toLowerCase()
  );
};

/** Whether a text contains a valid IBAN, with any separators. */
export const mayHoldIban = (text: string): boolean =>
  text.length >= MIN_CHARS && readingsOf(text).some(holdsIban);

const holdsIban = (plain: string): boolean => {
  // Separates accents from their letters: É becomes E and a combining accent.
  const letters = plain.normalize('NFD');
  if (!BEGINNING.test(letters)) return false;
  const typed = compact(letters);
  return [...typed.matchAll(START)].some(({ index }) => {
    const chars = countrySpecs[typed.slice(index, index + 2).toUpperCase()]?.chars ?? 0;
    const number = typed.slice(index, index + chars);
    return chars > 0 && isWritten(number) && isValidIBAN(number.toUpperCase());
  });
};
