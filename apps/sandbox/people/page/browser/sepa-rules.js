/**
 * The lengths of IBANs by country; IBANs of countries not listed are checked by the server only.
 */
const LENGTHS = {
  AD: 24,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  VA: 22,
};
const LONGEST = 34;

/** Capitals and digits only. */
export const electronicForm = (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/**
 * Formats the IBAN in groups of four, as printed, limited to the length of IBANs in its country.
 */
export const groupIban = (text) => {
  const iban = electronicForm(text);
  const length = LENGTHS[iban.slice(0, 2)] ?? LONGEST;
  return iban.slice(0, length).replace(/(.{4})(?=.)/g, '$1 ');
};

const remainderOf = (digits) =>
  [...digits].reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0);

const passesChecksum = (iban) => {
  const moved = iban.slice(4) + iban.slice(0, 4);
  return remainderOf(moved.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)))) === 1;
};

/** The message key for an invalid IBAN; null if the IBAN may be valid. */
export const ibanProblem = (text) => {
  const iban = electronicForm(text);
  if (iban === '') return 'ibanMissing';
  const length = LENGTHS[iban.slice(0, 2)];
  const fits =
    length === undefined ? iban.length >= 15 && iban.length <= LONGEST : iban.length === length;
  const isOne = fits && /^[A-Z]{2}\d\d/.test(iban) && passesChecksum(iban);
  return isOne ? null : 'ibanInvalid';
};

/**
 * Checks only the characters and the number of digits; the server checks the rules of the country.
 */
export const phoneProblem = (text) => {
  if (text.trim() === '') return 'phoneMissing';
  const digits = text.replace(/\D/g, '').length;
  return /^[+\d\s().-]+$/.test(text.trim()) && digits >= 6 && digits <= 15 ? null : 'phoneInvalid';
};

export const accountNameProblem = (text) => (text.trim().length < 3 ? 'accountNameInvalid' : null);
