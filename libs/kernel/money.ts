import { Rejection } from './rejection.js';

/**
 * The currencies in which the provider settles. docs/provider/payments-completion.md#conventions.
 */
export const CURRENCIES = [
  'eur',
  'aud',
  'cad',
  'chf',
  'dkk',
  'gbp',
  'nok',
  'pln',
  'sek',
  'usd',
] as const;

/** An ISO 4217 currency code in lower case, e.g. `eur`. */
export type Currency = (typeof CURRENCIES)[number];

/** In whole minor units of the currency, e.g. `4250` for 42.50 EUR. */
export type MinorUnits = number;

/**
 * The largest amount that the provider accepts, in minor units.
 * docs/provider/payments-completion.md#conventions.
 */
export const MAX_AMOUNT_MINOR = 4_294_967_295;

/** An amount in integer minor units with its currency. All ten currencies have two decimals. */
export interface Money {
  readonly amountMinor: number;
  readonly currency: Currency;
}

export const isCurrency = (text: string): text is Currency =>
  (CURRENCIES as readonly string[]).includes(text);

/** Checked money; throws `Rejection` with code `invalid_amount` or `invalid_currency`. */
export const money = (amountMinor: number, currency: string): Money => {
  if (!isCurrency(currency)) {
    throw new Rejection('invalid_currency', `currency must be one of ${CURRENCIES.join(', ')}`);
  }
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1 || amountMinor > MAX_AMOUNT_MINOR) {
    throw new Rejection(
      'invalid_amount',
      `amount must be a whole number of minor units from 1 to ${MAX_AMOUNT_MINOR}`,
    );
  }
  return { amountMinor, currency };
};
