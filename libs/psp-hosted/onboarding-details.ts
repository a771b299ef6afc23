import type { CompanyChange } from '#psp';
import type { CompanyPatch } from './onboarding-requests.js';
import type {
  WireCompanyAnswer, WirePerson, WireRepresentative,
} from './onboarding-company-wire.js';

/*
 * The one place where our names and the provider's meet: `zipCode` here is `zip-code` there, at
 * every depth.
 */

const toHyphens = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const toCamel = (name: string): string =>
  name.replace(/-([a-z])/g, (_hyphen, letter: string) => letter.toUpperCase());

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [rename(name), renamed(item, rename)]),
  );
};

/** By the provider's names; fields that were left out stay out. */
export const wireOf = (change: CompanyChange): CompanyPatch =>
  renamed(change, toHyphens) as CompanyPatch;

/** By our names. */
export const oursOf = (wire: object): CompanyChange => renamed(wire, toCamel) as CompanyChange;

/** A path of the provider's, e.g. `owners.0.person.first-name`, by our names. */
export const ourPath = (path: string): string => path.split('.').map(toCamel).join('.');

const codeOf = (
  row: { readonly alpha3: string } | { readonly code: string } | null,
): string | null => (row === null ? null : 'code' in row ? row.code : row.alpha3);

const withCountry = <T extends { readonly country: { readonly alpha3: string } | null }>(
  value: T | null,
): object | null => value && { ...value, country: codeOf(value.country) };

const personOf = (person: WirePerson): object => ({
  ...person,
  address: withCountry(person.address),
  birth: withCountry(person.birth),
  'country-residence': codeOf(person['country-residence']),
  nationality: codeOf(person.nationality),
});

const idsOf = (documents: readonly { readonly id: string }[]): readonly string[] =>
  documents.map(({ id }) => id);

const representativeOf = (head: WireRepresentative): object => ({
  ...(head.person === null ? {} : { person: personOf(head.person) }),
  ...(head.company === null ? {} : {
    company: {
      ...head.company, representatives: head.company.representatives.map(representativeOf),
    },
  }),
  position: codeOf(head.position),
  'transaction-identifier': head['transaction-identifier'],
  documents: idsOf(head.documents),
});

/** What an answer shows, in the shape in which it is sent, by our names. */
export const shownDetails = ({ company, user }: WireCompanyAnswer): CompanyChange => oursOf({
  user: { ...personOf(user.person), contact: user.contact },
  country: codeOf(company.country),
  'legal-form': codeOf(company['legal-form']),
  'legal-id': company['legal-id'],
  'legal-name': company['legal-name'],
  'date-registration': company['date-registration'],
  url: company.url,
  'headquarters-address': withCountry(company['headquarters-address']),
  iban: company.iban,
  services: company['enabled-services'],
  'activity-reference': company['activity-reference'],
  'average-basket': codeOf(company['average-basket']),
  'forecast-turnover': codeOf(company['forecast-turnover']),
  pnfe: company.pnfe,
  owners: company.owners.map((owner) => ({
    ...owner, person: personOf(owner.person), documents: idsOf(owner.documents),
  })),
  representatives: company.representatives.map(representativeOf),
});
