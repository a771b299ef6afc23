const passesLuhn = (digits: string): boolean => luhnSum(digits) % 10 === 0;

/** The Luhn sum of digits, of which the last is the check digit. */
const luhnSum = (digits: string): number => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum;
};

/**
 * The SIRET of the head office, which is the first establishment of this SIREN; the last digit
 * makes the 14 digits pass the Luhn check.
 */
const headOffice = (siren: string): string => {
  const withoutCheck = `${siren}0001`;
  return `${withoutCheck}${(10 - (luhnSum(`${withoutCheck}0`) % 10)) % 10}`;
};

const frenchId = (text: string): string | null => {
  const digits = text.replace(/[\s.]/g, '');
  if (!/^(\d{9}|\d{14})$/.test(digits) || !passesLuhn(digits)) return null;
  return digits.length === 9 ? headOffice(digits) : digits;
};

const ABROAD = /^[\p{L}\d][\p{L}\d ./-]{1,38}$/u;

/**
 * The stored `legal-id`: in France the SIRET, completed from a SIREN; abroad the number in that
 * country's register, unchanged. Null when invalid.
 */
export const legalIdOf = (country: string, text: string): string | null => {
  if (country === 'fra') return frenchId(text);
  return ABROAD.test(text.trim()) ? text.trim() : null;
};
