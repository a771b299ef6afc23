import { countryByAlpha3 } from '../codes/countries.js';
import type { CompanyFile, Contact, KeptAddress, Person } from './company-file.js';

export const addressView = (address: KeptAddress | undefined): object | null =>
  address === undefined
    ? null
    : {
        city: address.city ?? null,
        country: countryByAlpha3(address.country),
        id: address.id,
        line1: address.line1 ?? null,
        'zip-code': address['zip-code'] ?? null,
      };

export const contactView = ({ email, phone, lang }: Contact): object =>
  ({ email, lang: lang ?? null, phone: phone ?? null });

const birthView = ({ birth }: Person): object | null =>
  birth === undefined
    ? null
    : {
        country: countryByAlpha3(birth.country),
        date: birth.date ?? null,
        department: birth.department ?? null,
        place: birth.place ?? null,
      };

/** A person as answers tell it; only the user has told how to be reached. */
export const personView = (file: CompanyFile, id: string): object | null => {
  const person = file.persons[id];
  if (person === undefined) return null;
  return {
    address: addressView(person.address),
    birth: birthView(person),
    contact: file.user.person === id ? contactView(file.user.contact) : null,
    'country-residence': countryByAlpha3(person['country-residence']),
    'first-name': person['first-name'],
    id,
    'last-name': person['last-name'],
    nationality: countryByAlpha3(person.nationality),
  };
};
