import type { Dictionary } from '../i18n/en';
import type { MethodDetails } from './payment-state';

/** A card's brand as shown to people; `cb` is an abbreviation. */
const brandText = (brand: string): string =>
  brand === 'cb' ? 'CB' : brand.replace(/(?:^|[ -])[a-z]/g, (first) => first.toUpperCase());

/** The name of a country. @param country ISO 3166 alpha-2 */
export const countryText = (country: string, locale: string): string =>
  new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(country) ?? country;

/** The details of a method as text, e.g. `Visa •••• 0012`. */
export const methodText = (t: Dictionary, { method, brand, last4 }: MethodDetails): string => {
  const name = brand === undefined ? t.payment.methods[method] : brandText(brand);
  return last4 === undefined ? name : `${name} •••• ${last4}`;
};
