/**
 * The currencies in which the provider settles; all of them have two decimals. docs/provider/payments-completion.md#conventions.
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

export const isCurrency = (text: string): text is Currency =>
  (CURRENCIES as readonly string[]).includes(text);
