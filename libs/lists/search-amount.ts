import { type Currency, isCurrency, MAX_AMOUNT_MINOR } from '#kernel';
import { InvalidSearch } from './invalid-search.js';
import { comparisonOf, type Range } from './search-range.js';

const SIGNS: Readonly<Record<string, Currency>> = { '€': 'eur', '£': 'gbp', $: 'usd' };

/**
 * Digits with an optional fraction of two digits; groups of three digits may be separated as in
 * `1,234.50`, `1.234,50`, `1'234.50` or with the narrow spaces of a copied `1 234,50`.
 */
const NUMBER = /^(\d{1,3}(?:([.,'’\u00A0\u202F])\d{3})(?:\2\d{3})*|\d{1,9})(?:([.,])(\d{1,2}))?$/;

/** Separates a currency before or after the digits, e.g. `€44.85`, `44.85€`, `44.85EUR`. */
const WITH_CURRENCY =
  /^(€|£|\$|[a-z]{3})?[\u00A0\u202F]?([\d.,'’\u00A0\u202F]+?)[\u00A0\u202F]?(€|£|\$|[a-z]{3})?$/i;

/** All currencies of the provider have two decimals. */
const DECIMALS = 2;

/** The currency that a sign or a code means; null if the text is not a known currency. */
export const currencyOf = (text: string | undefined): Currency | null => {
  if (text === undefined) return null;
  const code = SIGNS[text] ?? text.toLowerCase();
  return isCurrency(code) ? code : null;
};

export const isWholeNumber = (text: string): boolean => /^\d+$/.test(text);

/** The amount that a text shows, with its currency if there is one; null: it is not an amount. */
export const exactAmount = (
  text: string,
): { readonly minor: number; readonly of: Currency | null } | null => {
  const [, before, digits = '', after] = WITH_CURRENCY.exec(text) ?? [];
  const of = currencyOf(before) ?? currencyOf(after);
  if ((before ?? after) !== undefined && of === null) return null;
  if (before !== undefined && after !== undefined) return null;
  const [, whole = '', separator, point, fraction = ''] = NUMBER.exec(digits) ?? [];
  if (whole === '' || (separator !== undefined && separator === point)) return null;
  // Without a currency or a fraction, grouped digits may be a version or a date, so they are not
  // read as an amount.
  if (separator !== undefined && point === undefined && of === null) return null;
  const minor = Number(whole.replaceAll(/\D/g, '') + fraction.padEnd(DECIMALS, '0'));
  return minor > MAX_AMOUNT_MINOR ? null : { minor, of };
};

const minorOf = (text: string, value: string): number => {
  const amount = exactAmount(text);
  if (amount !== null) return amount.minor;
  throw new InvalidSearch(
    `“amount:${value}” is not an amount: write amount:44.85, amount:>100, amount:<=100 or ` +
      'amount:10..20',
  );
};

/** The amounts of `44.85`, `>100`, `>=100`, `<100`, `<=100` or `10..20`, in minor units. */
export const amountRange = (value: string): Range<number> => {
  const [, lowest, highest] = /^(.+?)\.\.(.+)$/.exec(value) ?? [];
  if (lowest !== undefined && highest !== undefined)
    return { from: minorOf(lowest, value), to: minorOf(highest, value) };
  const { comparison, text } = comparisonOf(value);
  const minor = minorOf(text, value);
  switch (comparison) {
    case '>':
      return { from: minor + 1, to: null };
    case '>=':
      return { from: minor, to: null };
    case '<':
      return { from: null, to: minor - 1 };
    case '<=':
      return { from: null, to: minor };
    case undefined:
      return { from: minor, to: minor };
  }
};
