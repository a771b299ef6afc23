import { described, listOf, type Shape, shape, TEXT, type ValueOf } from '../../api/answers.js';
import { object, optionalObject } from '../wire/schema.js';
import { type WireCheck, wireCheck, wireQuery } from '../wire/wire-check.js';

const text = (maxLength: number) =>
  shape<string>({ type: 'string', minLength: 1, maxLength, pattern: '\\S' });
const optionalText = (maxLength: number) =>
  shape<string | null>({ type: ['string', 'null'], minLength: 1, maxLength, pattern: '\\S' });
const code = (format: string) => shape<string>({ type: 'string', maxLength: 64, format });
const optionalCode = (format: string) =>
  shape<string | null>({ type: ['string', 'null'], maxLength: 2_048, format });

const COUNTRY = 'The country: a lower-case alpha3 code of the countries lookup.';
const optionalCountry = (use: 'address' | 'birth' | 'nationality') =>
  described(COUNTRY, optionalCode(`country-${use}`));

const idTaken = (prefix: string) =>
  shape<string>({ type: 'string', pattern: `^${prefix}_[A-Za-z0-9]{24}$` });
const share = shape<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 1 });
const range = shape<string | null>({
  type: ['string', 'null'],
  pattern: '^\\d{1,15}_\\d{1,15}$',
});
const flag = shape<boolean | null>({ type: ['boolean', 'null'] });

const MAX_PEOPLE = 50;

const address = {
  city: optionalText(100),
  country: optionalCountry('address'),
  line1: optionalText(200),
  'zip-code': optionalText(20),
};

const human = {
  'first-name': text(100),
  'last-name': text(100),
  address: optionalObject(address),
  birth: optionalObject({
    country: optionalCountry('birth'),
    date: optionalCode('date'),
    department: optionalText(100),
    place: optionalText(100),
  }),
  'country-residence': optionalCountry('address'),
  nationality: optionalCountry('nationality'),
};

const person = object({ id: idTaken('pers'), ...human });

const contact = {
  email: code('email'),
  phone: optionalCode('phone'),
  lang: optionalCode('language'),
};
const user = object({ ...human, contact: object(contact) });
/**
 * The user of a new company, with the fields required at creation. See
 * docs/provider/onboarding-completion.md#required-at-creation.
 */
const newUser = object({ ...human, contact: object(contact, ['email']) }, [
  'first-name',
  'last-name',
  'contact',
]);

const owner = object(
  {
    person,
    capital: share,
    votes: share,
    control: flag,
    'transaction-identifier': optionalText(200),
  },
  ['person'],
);

export interface RepresentativeInput {
  readonly person?: PersonInput;
  readonly company?: LegalPersonInput;
  readonly position?: string | null;
  readonly 'transaction-identifier'?: string | null;
}

/** The schema is recursive: a legal person can be represented by another legal person. */
const representatives: Shape<readonly RepresentativeInput[]> = shape({
  type: 'array',
  maxItems: MAX_PEOPLE,
  items: { $ref: '#/$defs/representative' },
});

/** The fields that a company has in common with a legal person that represents a company. */
const registered = {
  'legal-form': code('legal-form'),
  country: described(COUNTRY, code('country-legal_form')),
  'legal-id': text(40),
  'legal-name': text(200),
  'headquarters-address': optionalObject(address),
  'activity-reference': optionalCode('naf-code'),
};

const legalPerson = object({
  id: idTaken('comp'),
  ...registered,
  representatives: { ...representatives, minItems: 1 },
});

const representative = {
  ...object({
    person,
    company: legalPerson,
    position: optionalText(64),
    'transaction-identifier': optionalText(200),
  }),
  oneOf: [{ required: ['person'] }, { required: ['company'] }],
};

const properties = {
  user,
  ...registered,
  'date-registration': optionalCode('date'),
  url: optionalCode('web-address'),
  iban: optionalCode('iban'),
  services: shape<readonly { readonly type: string }[] | null>({
    type: ['array', 'null'],
    maxItems: 20,
    items: object({ type: code('service') }, ['type']),
  }),
  'average-basket': range,
  'forecast-turnover': range,
  'field-of-activity': optionalCode('field-of-activity'),
  pnfe: flag,
  owners: { ...listOf(owner), maxItems: MAX_PEOPLE },
  representatives,
  'shipping-address': optionalObject({
    ...address,
    'business-name': optionalText(200),
    line2: optionalText(200),
    'contact-name': optionalText(100),
    phone: optionalCode('phone'),
  }),
};

const company = object(properties);

/** The body of POST and PATCH /company; POST also requires some fields (`newCompanyBody`). */
export type CompanyInput = ValueOf<typeof company>;
export type AddressInput = NonNullable<CompanyInput['headquarters-address']>;
export type UserInput = ValueOf<typeof user>;
export type PersonInput = ValueOf<typeof person>;
export type OwnerInput = ValueOf<typeof owner>;
export type LegalPersonInput = ValueOf<typeof legalPerson>;

const $defs = { representative };

export const newCompanyBody = wireCheck<CompanyInput>({
  $defs,
  ...object({ ...properties, user: newUser }, [
    'user',
    'country',
    'legal-form',
    'legal-id',
    'legal-name',
  ]),
});

export const companyPatchBody: WireCheck<CompanyInput> = wireCheck({ $defs, ...company });

/** The company id of a request: an unknown id is a 404, whatever its format. */
export const idQuery = wireQuery({ id: TEXT });
export const companyQuery = wireQuery({ company: TEXT });

export const removedPersonQuery = wireQuery({
  company: TEXT,
  id: TEXT,
  type: shape<'representative' | 'owner'>({ type: 'string', enum: ['representative', 'owner'] }),
});
