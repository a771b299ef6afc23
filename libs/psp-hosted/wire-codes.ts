import countries from 'i18n-iso-countries/index.js';
import type { Code } from './wire-mapping.js';

/**
 * The mapping of the provider's codes to ours: ISO alpha-2 instead of alpha-3, underscores instead
 * of hyphens, percentages instead of shares. A code that does not have the provider's usual form is
 * not changed.
 */

const ofText = (toWire: (ours: string) => string, toOurs: (wire: string) => string): Code => ({
  toWire: (ours) => (typeof ours === 'string' ? toWire(ours) : ours),
  toOurs: (wire) => (typeof wire === 'string' ? toOurs(wire) : wire),
});

/** Converts a country code: our `FR` is the provider's `fra`. */
export const COUNTRY = ofText(
  (ours) => countries.alpha2ToAlpha3(ours)?.toLowerCase() ?? ours,
  (wire) => countries.alpha3ToAlpha2(wire.toUpperCase()) ?? wire,
);

/** Our `chief_executive` is the provider's `chief-executive`. */
export const SNAKE = ofText(
  (ours) => ours.replaceAll('_', '-'),
  (wire) => wire.replaceAll('-', '_'),
);

/** Converts a legal form: our `fr_sas` is the provider's `fra-sas`. */
export const LEGAL_FORM = ofText(
  (ours) => {
    const [, country, form] = /^([a-z]{2})_(.+)$/.exec(ours) ?? [];
    const alpha3 = country && countries.alpha2ToAlpha3(country.toUpperCase());
    return alpha3 && form ? `${alpha3.toLowerCase()}-${form.replaceAll('_', '-')}` : ours;
  },
  (wire) => {
    const [, country, form] = /^([a-z]{3})-(.+)$/.exec(wire) ?? [];
    const alpha2 = country && countries.alpha3ToAlpha2(country.toUpperCase());
    return alpha2 && form ? `${alpha2.toLowerCase()}_${form.replaceAll('-', '_')}` : wire;
  },
);

/** Converts a range: our `50_to_100` is the provider's `50_100`. */
export const RANGE = ofText(
  (ours) => ours.replace(/^(\d+)_to_(\d+)$/, '$1_$2'),
  (wire) => wire.replace(/^(\d+)_(\d+)$/, '$1_to_$2'),
);

const PRODUCTS: readonly (readonly [ours: string, wire: string])[] = [
  ['online_payments', 'online-payment'],
  ['api_payments', 'api-payment'],
  ['payment_links', 'payment-link'],
  ['mail_orders', 'mail-order'],
  ['direct_debits', 'direct-debit'],
  ['payment_terminals', 'payment-terminal'],
];

/** Our `online_payments` is the provider's service `online-payment`. */
export const PRODUCT = ofText(
  (ours) => PRODUCTS.find(([name]) => name === ours)?.[1] ?? ours,
  (wire) => PRODUCTS.find(([, name]) => name === wire)?.[0] ?? wire,
);

/** In the provider's format each service is an object with the field `type`. */
export const PRODUCT_LIST: Code = {
  toWire: (ours) => (ours as readonly string[]).map((code) => ({ type: PRODUCT.toWire(code) })),
  toOurs: (wire) =>
    (wire as readonly { readonly type: string }[]).map(({ type }) => PRODUCT.toOurs(type)),
  path: ([index]) => (index === undefined ? [] : [index]),
};

/**
 * The number of significant digits of a percentage; further digits of a floating-point number are
 * rounding errors.
 */
const DIGITS = 12;

/** Our percentage from 0 to 100 is the provider's share from 0 to 1. */
export const PERCENT: Code = {
  toWire: (ours) => (typeof ours === 'number' ? ours / 100 : ours),
  toOurs: (wire) => (typeof wire === 'number' ? Number((wire * 100).toPrecision(DIGITS)) : wire),
};
