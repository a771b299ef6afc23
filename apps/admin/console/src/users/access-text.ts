import type { Schemas } from '../api/client';
import { decimalText, minorOf } from '../shared/format';
import type { User } from './user';

export type Access = Pick<User, 'scope' | 'limits'>;

type Limit = Schemas['AmountLimitDto'];

/** The platforms and merchants, one per line: `shop`, or `shop merchant-7` for one merchant. */
export const textOfScope = ({ scope }: Access): string =>
  scope
    .map(({ platformId, merchantId }) =>
      merchantId === null ? platformId : `${platformId} ${merchantId}`,
    )
    .join('\n');

/** The limits, one per line: `eur 500.00`. */
export const textOfLimits = ({ limits }: Access): string =>
  limits
    .map(({ currency, mostMinor }) => `${currency} ${decimalText(mostMinor, currency)}`)
    .join('\n');

const linesOf = (typed: string): readonly (readonly string[])[] =>
  typed
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([first]) => first !== '');

/** Parses the typed platforms and merchants; null if a line contains neither. */
export const scopeOf = (typed: string): Access['scope'] | null => {
  const lines = linesOf(typed);
  if (lines.some(({ length }) => length > 2)) return null;
  return lines.map(([platformId = '', merchantId = null]) => ({ platformId, merchantId }));
};

const limitOf = ([name = '', amount = '', more]: readonly string[]): Limit | null => {
  const currency = name.toLowerCase();
  if (!/^[a-z]{3}$/.test(currency) || more !== undefined) return null;
  const mostMinor = minorOf(amount, currency);
  return mostMinor === null ? null : { currency, mostMinor };
};

/** Parses the typed limits; null if a line is not a currency and an amount. */
export const limitsOf = (typed: string): Access['limits'] | null => {
  const limits = linesOf(typed).map(limitOf);
  const known = limits.filter((one) => one !== null);
  return known.length === limits.length ? known : null;
};
