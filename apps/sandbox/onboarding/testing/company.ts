import { randomText } from '#kernel';
import type { Harness } from '../../testing/harness.js';
import { ask, KEY } from './partner.js';

/** An address in the format of requests. */
export const ADDRESS = {
  line1: '12 rue des Lilas',
  'zip-code': '75011',
  city: 'Paris',
  country: 'fra',
} as const;

export const SHIPPING = { ...ADDRESS, 'business-name': 'Atelier Lumière' } as const;

/** A valid IBAN without an account. */
export const IBAN = 'FR7630006000011234567890189';

export const person = (first: string, last: string, more: object = {}) => ({
  'first-name': first,
  'last-name': last,
  address: ADDRESS,
  birth: { country: 'fra', date: '1984-05-17', department: '75', place: 'Paris' },
  'country-residence': 'fra',
  nationality: 'fra',
  ...more,
});

/** A company with only the fields required at creation. */
export const smallCompany = (more: object = {}) => ({
  user: {
    'first-name': 'Camille',
    'last-name': 'Martin',
    contact: { email: `user-${randomText(12)}@example.test` },
  },
  country: 'fra',
  'legal-form': 'fra-sas',
  'legal-id': '732829320',
  'legal-name': 'Atelier Lumière',
  ...more,
});

/** A company with everything that the contract requires except the documents. */
export const fullCompany = (more: object = {}) => ({
  ...smallCompany(),
  user: {
    ...person('Camille', 'Martin'),
    contact: {
      email: `user-${randomText(12)}@example.test`,
      phone: '+33612345678',
      lang: 'fr',
    },
  },
  'date-registration': '2019-03-04',
  url: 'https://atelier.example.test',
  'headquarters-address': ADDRESS,
  iban: IBAN,
  services: [{ type: 'online-payment' }, { type: 'payment-terminal' }],
  'activity-reference': '47.71Z',
  'average-basket': '50_100',
  'forecast-turnover': '100000_250000',
  'field-of-activity': 'fashion',
  pnfe: false,
  owners: [
    { person: person('Camille', 'Martin'), capital: 0.6, votes: 0.6, control: true },
    { person: person('Dominique', 'Leroy'), capital: 0.4, votes: 0.4, control: false },
  ],
  representatives: [
    {
      person: person('Camille', 'Martin'),
      position: 'president',
      'transaction-identifier': 'person-1',
    },
  ],
  'shipping-address': SHIPPING,
  ...more,
});

interface CountryAnswer {
  readonly alpha2: string;
  readonly alpha3: string;
  readonly name: string;
  readonly numeric: number;
}

export interface PersonAnswer {
  readonly id: string;
  readonly 'first-name': string;
  readonly 'last-name': string;
  readonly address: { readonly id: string; readonly city: string } | null;
  readonly contact: { readonly email: string } | null;
  readonly nationality: CountryAnswer | null;
}

export interface RepresentativeAnswer {
  readonly documents: readonly { readonly id: string }[];
  readonly person?: PersonAnswer;
  readonly company?: {
    readonly id: string;
    readonly 'legal-id': string;
    readonly representatives: readonly RepresentativeAnswer[];
  };
  readonly position: { readonly code: string; readonly name: string } | null;
  readonly 'transaction-identifier': string | null;
}

/** The fields of POST, GET and PATCH /company used in specs. */
export interface CompanyReply {
  readonly company: {
    readonly id: string;
    readonly status: string;
    readonly iban: string | null;
    readonly url: string | null;
    readonly 'legal-id': string;
    readonly 'legal-name': string;
    readonly accounts: readonly { readonly id: string }[];
    readonly documents: readonly { readonly id: string; readonly 'document-type': string }[];
    readonly owners: readonly {
      readonly person: PersonAnswer;
      readonly capital: number | null;
      readonly documents: readonly { readonly id: string }[];
    }[];
    readonly representatives: readonly RepresentativeAnswer[];
  };
  readonly 'documents-to-upload': {
    readonly 'company-documents': readonly {
      readonly document: string;
      readonly 'upload-url': string;
    }[];
    readonly 'identity-documents': readonly {
      readonly id: string;
      readonly 'upload-url': string;
      readonly 'transaction-identifier': string | null;
    }[];
  };
  readonly user: { readonly id: string; readonly person: PersonAnswer };
}

/** Creates a company and returns the response; throws when the creation fails. */
export const createCompany = async (
  sandbox: Harness,
  body: object = fullCompany(),
  key: string = KEY,
): Promise<CompanyReply> => {
  const answer = await ask(sandbox, 'POST', '/company', body, key);
  if (answer.status !== 200)
    throw new Error(`the company was not created: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

export const readCompany = async (
  sandbox: Harness,
  id: string,
  key: string = KEY,
): Promise<CompanyReply> => (await ask(sandbox, 'GET', `/company?id=${id}`, undefined, key)).body;
