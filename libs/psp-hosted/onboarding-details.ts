import type { CompanyChange, CompanyDetails, IdentityMeta } from '#psp';
import type {
  WireCompanyAnswer,
  WirePerson,
  WireRepresentative,
} from './onboarding-company-wire.js';
import { COUNTRY, LEGAL_FORM, PERCENT, PRODUCT_LIST, RANGE, SNAKE } from './wire-codes.js';
import {
  decode,
  encode,
  isKnownPath,
  list,
  type Mapping,
  object,
  pathOf,
  value,
} from './wire-mapping.js';

/**
 * The tables that map our field names of company details to the provider's names. Nothing else maps
 * them.
 */

const ADDRESS: Mapping = {
  line1: value('line1'),
  postalCode: value('zip-code'),
  city: value('city'),
  country: value('country', COUNTRY),
};

const PERSON: Mapping = {
  id: value('id'),
  firstName: value('first-name'),
  lastName: value('last-name'),
  address: object('address', ADDRESS),
  birth: object('birth', {
    date: value('date'),
    place: value('place'),
    department: value('department'),
    country: value('country', COUNTRY),
  }),
  residenceCountry: value('country-residence', COUNTRY),
  nationality: value('nationality', COUNTRY),
};

const OWNER: Mapping = {
  person: object('person', PERSON),
  ownershipPercent: value('capital', PERCENT),
  votingPercent: value('votes', PERCENT),
  controls: value('control'),
  reference: value('transaction-identifier'),
};

const REPRESENTATIVE: Mapping = {
  person: object('person', PERSON),
  company: object('company', {
    id: value('id'),
    country: value('country', COUNTRY),
    legalForm: value('legal-form', LEGAL_FORM),
    registrationNumber: value('legal-id'),
    legalName: value('legal-name'),
    address: object('headquarters-address', ADDRESS),
    activity: object('', { code: value('activity-reference') }),
    representatives: list('representatives', () => REPRESENTATIVE),
  }),
  position: value('position', SNAKE),
  reference: value('transaction-identifier'),
};

const DETAILS: Mapping = {
  company: object('', {
    country: value('country', COUNTRY),
    legalForm: value('legal-form', LEGAL_FORM),
    registrationNumber: value('legal-id'),
    legalName: value('legal-name'),
    registeredOn: value('date-registration'),
    website: value('url'),
    address: object('headquarters-address', ADDRESS),
    activity: object('', {
      code: value('activity-reference'),
      sector: value('field-of-activity', SNAKE),
      averageBasket: value('average-basket', RANGE),
      forecastTurnover: value('forecast-turnover', RANGE),
    }),
    passiveNonFinancialEntity: value('pnfe'),
  }),
  contact: object('user', {
    ...PERSON,
    email: value('contact.email'),
    phone: value('contact.phone'),
    language: value('contact.lang'),
  }),
  payoutAccount: object('', { iban: value('iban') }),
  products: value('services', PRODUCT_LIST),
  owners: list('owners', () => OWNER),
  representatives: list('representatives', () => REPRESENTATIVE),
  deliveryAddress: object('shipping-address', {
    ...ADDRESS,
    businessName: value('business-name'),
    line2: value('line2'),
    contactName: value('contact-name'),
    phone: value('phone'),
  }),
};

/** Our field names for the data of an identity card. */
const META: Mapping = {
  issuedOn: value('date-issue'),
  expiresOn: value('date-expiry'),
  number: value('number'),
};

const PATHS: Mapping = { ...DETAILS, meta: object('meta', META) };

/** The data of an identity card in the format of the field `meta` of an upload. */
export const wireMetaOf = (meta: IdentityMeta): object => encode(META, meta);

/**
 * Details in the format of POST and PATCH /company
 * (docs/provider/onboarding.md#company-creation-request).
 */
export const wireOf = (change: CompanyChange): object => encode(DETAILS, change);

/** A request body in the provider's format, converted to our names. */
export const detailsOf = (wire: object): CompanyDetails =>
  decode(DETAILS, wire) as unknown as CompanyDetails;

/** Our name for a path of the provider, e.g. `owners.0.person.first-name`. */
export const ourPath = (path: string): string => pathOf(PATHS, path);

/**
 * Whether the provider has a field with this path. A word of a provider's message names a field
 * only if the word is such a path.
 */
export const isKnownField = (path: string): boolean => isKnownPath(PATHS, path);

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

const representativeOf = (representative: WireRepresentative): object => ({
  ...(representative.person === null ? {} : { person: personOf(representative.person) }),
  ...(representative.company === null
    ? {}
    : {
        company: {
          ...representative.company,
          representatives: representative.company.representatives.map(representativeOf),
        },
      }),
  position: codeOf(representative.position),
  'transaction-identifier': representative['transaction-identifier'],
});

/** Converts a response to the format of the request that would send the same details. */
const requestOf = ({ company, user }: WireCompanyAnswer): object => ({
  ...company,
  user: { ...personOf(user.person), contact: user.contact },
  country: codeOf(company.country),
  'legal-form': codeOf(company['legal-form']),
  'headquarters-address': withCountry(company['headquarters-address']),
  services: company['enabled-services'],
  'average-basket': codeOf(company['average-basket']),
  'forecast-turnover': codeOf(company['forecast-turnover']),
  owners: company.owners.map((owner) => ({ ...owner, person: personOf(owner.person) })),
  representatives: company.representatives.map(representativeOf),
});

interface WithDocuments {
  readonly documents: readonly { readonly id: string }[];
}

/** Adds the ids of each person's documents, which only responses contain. */
const withDocuments = <T>(
  people: readonly T[] | undefined,
  shown: readonly WithDocuments[],
): readonly (T & { readonly documents: readonly string[] })[] =>
  (people ?? []).map((representative, index) => {
    const documents = (shown[index]?.documents ?? []).map(({ id }) => id);
    return { ...representative, documents };
  });

/** The details in a response, with our names. */
export const shownDetails = (answer: WireCompanyAnswer): CompanyDetails => {
  const details = detailsOf(requestOf(answer));
  const { owners, representatives } = answer.company;
  return {
    ...details,
    owners: withDocuments(details.owners, owners),
    representatives: withDocuments(details.representatives, representatives),
  };
};
