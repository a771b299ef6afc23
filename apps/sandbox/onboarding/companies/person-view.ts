import { assert } from '#kernel';
import { countryByAlpha3 } from '../codes/countries.js';
import type { AddressAnswer, ContactAnswer, PersonAnswer } from './company-answer.js';
import type { CompanyFile, Contact, KeptAddress, Person } from './company-file.js';

export const addressView = (address: KeptAddress | undefined): AddressAnswer | null =>
  address === undefined
    ? null
    : {
        city: address.city ?? null,
        country: countryByAlpha3(address.country),
        id: address.id,
        line1: address.line1 ?? null,
        'zip-code': address['zip-code'] ?? null,
      };

export const contactView = ({ email, phone, lang }: Contact): ContactAnswer => ({
  email,
  lang: lang ?? null,
  phone: phone ?? null,
});

const birthView = ({ birth }: Person): PersonAnswer['birth'] =>
  birth === undefined
    ? null
    : {
        country: countryByAlpha3(birth.country),
        date: birth.date ?? null,
        department: birth.department ?? null,
        place: birth.place ?? null,
      };

/** A person in a response; only the user has contact data. */
export const personView = (file: CompanyFile, id: string): PersonAnswer => {
  const person = file.persons[id];
  assert(person !== undefined, 'every owner, representative and user is in the file');
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
