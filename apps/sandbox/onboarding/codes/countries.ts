import countries from 'i18n-iso-countries';
import { LEGAL_FORM_COUNTRIES } from './legal-forms.js';

/** A country as in responses. */
export interface Country {
  readonly alpha2: string;
  readonly alpha3: string;
  readonly name: string;
  readonly numeric: number;
}

/** The purposes for which the API lists countries. */
export const COUNTRY_USES = ['address', 'birth', 'legal_form', 'nationality'] as const;
export type CountryUse = (typeof COUNTRY_USES)[number];

const countryOf = ([alpha2, alpha3]: readonly [string, string]): Country => ({
  alpha2: alpha2.toLowerCase(),
  alpha3: alpha3.toLowerCase(),
  name: countries.getName(alpha2, 'en') ?? alpha3,
  numeric: Number(countries.alpha2ToNumeric(alpha2)),
});

const known = new Map(
  Object.entries(countries.getAlpha2Codes())
    .map(countryOf)
    .map((country) => [country.alpha3, country]),
);

/** Territories without a permanent population, which have no nationality of their own. */
const WITHOUT_NATIONALS: ReadonlySet<string> = new Set(['ata', 'bvt', 'hmd', 'iot', 'sgs', 'atf']);

const all = [...known.keys()].sort();

const BY_USE: Readonly<Record<CountryUse, readonly string[]>> = {
  address: all,
  birth: all,
  legal_form: LEGAL_FORM_COUNTRIES,
  nationality: all.filter((code) => !WITHOUT_NATIONALS.has(code)),
};

/** The lower-case alpha3 codes of the countries for a purpose, in order. */
export const countriesFor = (use: CountryUse): readonly string[] => BY_USE[use];

export const isCountryFor = (use: CountryUse, alpha3: string): boolean =>
  BY_USE[use].includes(alpha3);

/** The country with this lower-case alpha3 code; null when there is none. */
export const countryByAlpha3 = (alpha3: string | null | undefined): Country | null =>
  known.get(alpha3 ?? '') ?? null;
