import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';

/**
 * The telephone number entered by a payer, such as `+33639980012`; null when invalid. A number
 * without an international prefix is read as a number of `country`, the bank account's country.
 */
export const phoneIn = (text: string, country: string): string | null => {
  const typed = text.trim();
  const given = typed.startsWith('00') ? `+${typed.slice(2)}` : typed;
  const defaultCountry =
    metadata.countries[country as CountryCode] === undefined ? undefined : (country as CountryCode);
  const options = defaultCountry === undefined ? {} : { defaultCountry };
  const phone = parsePhoneNumberFromString(given, { ...options, extract: false }, metadata);
  return phone?.isPossible() === true ? phone.number : null;
};
