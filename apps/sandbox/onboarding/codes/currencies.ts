import currencyCodes from 'currency-codes';

/** ISO 4217 codes of metals, funds and tests, which are not used as currencies for sales. */
const NO_MONEY: ReadonlySet<string> = new Set([
  'BOV',
  'CHE',
  'CHW',
  'CLF',
  'COU',
  'MXV',
  'USN',
  'UYI',
  'UYW',
  'XAG',
  'XAU',
  'XBA',
  'XBB',
  'XBC',
  'XBD',
  'XDR',
  'XPD',
  'XPT',
  'XSU',
  'XTS',
  'XUA',
  'XXX',
]);

/** The lower-case alpha3 codes of the currencies, in order. */
export const CURRENCY_CODES: readonly string[] = currencyCodes
  .codes()
  .filter((code) => !NO_MONEY.has(code))
  .map((code) => code.toLowerCase())
  .sort();

const known = new Set(CURRENCY_CODES);

export const isCurrencyCode = (code: string): boolean => known.has(code);
