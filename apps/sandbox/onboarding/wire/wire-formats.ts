import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import { isActivity } from '../codes/activities.js';
import { isCountryFor } from '../codes/countries.js';
import { isCurrencyCode } from '../codes/currencies.js';
import { FIELDS_OF_ACTIVITY } from '../codes/fields-of-activity.js';
import { isLanguage } from '../codes/languages.js';
import { legalForm } from '../codes/legal-forms.js';
import { SERVICES } from '../codes/services.js';

/** The stored form of an IBAN: no spaces, capitals; null when invalid. */
export const ibanIn = (text: string): string | null => {
  const iban = electronicFormatIBAN(text);
  return iban !== null && isValidIBAN(iban) ? iban : null;
};

/** The stored form of a phone number, such as `+33612345678`; null without the country code. */
export const phoneIn = (text: string): string | null => {
  const phone = text.trimStart().startsWith('+')
    ? parsePhoneNumberFromString(text, metadata)
    : undefined;
  return phone?.isPossible() === true ? phone.number : null;
};

const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s/.]+\.[^\s]+$/i.test(text) && URL.canParse(text);

interface WireFormat {
  readonly holds: (text: string) => boolean;
  readonly says: string;
}

const oneOf = (rows: readonly { readonly code: string }[]): ((text: string) => boolean) => {
  const codes = new Set(rows.map(({ code }) => code));
  return (text) => codes.has(text);
};

/** The custom `format` values of the schemas. */
export const WIRE_FORMATS: Readonly<Record<string, WireFormat>> = {
  iban: {
    holds: (text) => ibanIn(text) !== null,
    says: 'must be an IBAN with the right checksum and length',
  },
  phone: {
    holds: (text) => phoneIn(text) !== null,
    says: 'must be a phone number in international form, such as +33612345678',
  },
  'web-address': { holds: isWebAddress, says: 'must be an http or https URL' },
  'naf-code': { holds: isActivity, says: 'must be a code from the naf-code lookup' },
  language: { holds: isLanguage, says: 'must be a code from the language lookup' },
  currency: { holds: isCurrencyCode, says: 'must be a code from the currency lookup' },
  'field-of-activity': {
    holds: oneOf(FIELDS_OF_ACTIVITY),
    says: 'must be a code from the field-of-activity lookup',
  },
  service: { holds: oneOf(SERVICES), says: 'must be a code from the service lookup' },
  'legal-form': {
    holds: (text) => legalForm(text) !== null,
    says: 'must be a code from the legal-form lookup',
  },
  ...Object.fromEntries(
    (['address', 'birth', 'legal_form', 'nationality'] as const).map((use) => [
      `country-${use}`,
      {
        holds: (text: string) => isCountryFor(use, text),
        says: `must be a lower-case alpha3 code from the countries lookup for ${use}`,
      },
    ]),
  ),
  date: {
    // Dates before this date are implausible, and some calendars have no year 0.
    holds: (text) =>
      /^(?:19|[2-9]\d)\d\d-\d\d-\d\d$/.test(text) &&
      !Number.isNaN(Date.parse(text)) &&
      new Date(text).toISOString().startsWith(text),
    says: 'must be a date from 1900 on, such as 2026-03-01',
  },
  email: {
    holds: (text) =>
      text.length <= 254 && /^[^\s@"(),:;<>[\\\]]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text),
    says: 'must be an email address',
  },
};
