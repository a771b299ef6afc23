import type { AnySchemaObject } from 'ajv';
import { type WireCheck, wireCheck, wireQuery } from '../wire/wire-check.js';

/** Not given, or null: which clears it. */
type Optional<T> = T | null;

export interface AddressInput {
  readonly city?: Optional<string>;
  readonly country?: Optional<string>;
  readonly line1?: Optional<string>;
  readonly 'zip-code'?: Optional<string>;
}

export interface ShippingAddressInput extends AddressInput {
  readonly 'business-name'?: Optional<string>;
  readonly line2?: Optional<string>;
  readonly 'contact-name'?: Optional<string>;
  readonly phone?: Optional<string>;
}

export interface PersonInput {
  readonly id?: string;
  readonly 'first-name'?: string;
  readonly 'last-name'?: string;
  readonly address?: Optional<AddressInput>;
  readonly birth?: Optional<{
    readonly country?: Optional<string>;
    readonly date?: Optional<string>;
    readonly department?: Optional<string>;
    readonly place?: Optional<string>;
  }>;
  readonly 'country-residence'?: Optional<string>;
  readonly nationality?: Optional<string>;
}

export interface UserInput extends Omit<PersonInput, 'id'> {
  readonly contact?: {
    readonly email?: string;
    readonly phone?: Optional<string>;
    readonly lang?: Optional<string>;
  };
}

export interface OwnerInput {
  readonly person: PersonInput;
  readonly capital?: Optional<number>;
  readonly votes?: Optional<number>;
  readonly control?: Optional<boolean>;
  readonly 'transaction-identifier'?: Optional<string>;
}

export interface LegalPersonInput {
  readonly id?: string;
  readonly 'legal-form'?: string;
  readonly country?: string;
  readonly 'legal-id'?: string;
  readonly 'legal-name'?: string;
  readonly 'headquarters-address'?: Optional<AddressInput>;
  readonly 'activity-reference'?: Optional<string>;
  readonly representatives?: readonly RepresentativeInput[];
}

export interface RepresentativeInput {
  readonly person?: PersonInput;
  readonly company?: LegalPersonInput;
  readonly position?: Optional<string>;
  readonly 'transaction-identifier'?: Optional<string>;
}

/** POST and PATCH /company. What creation requires is always there in its own check's output. */
export interface CompanyInput {
  readonly user?: UserInput;
  readonly 'legal-form'?: string;
  readonly country?: string;
  readonly 'legal-id'?: string;
  readonly 'legal-name'?: string;
  readonly 'date-registration'?: Optional<string>;
  readonly url?: Optional<string>;
  readonly 'headquarters-address'?: Optional<AddressInput>;
  readonly iban?: Optional<string>;
  readonly services?: Optional<readonly { readonly type: string }[]>;
  readonly 'activity-reference'?: Optional<string>;
  readonly 'average-basket'?: Optional<string>;
  readonly 'forecast-turnover'?: Optional<string>;
  readonly 'field-of-activity'?: Optional<string>;
  readonly pnfe?: Optional<boolean>;
  readonly owners?: readonly OwnerInput[];
  readonly representatives?: readonly RepresentativeInput[];
  readonly 'shipping-address'?: Optional<ShippingAddressInput>;
}

const text = (maxLength: number): AnySchemaObject =>
  ({ type: 'string', minLength: 1, maxLength, pattern: '\\S' });
const optionalText = (maxLength: number): AnySchemaObject =>
  ({ type: ['string', 'null'], minLength: 1, maxLength, pattern: '\\S' });
const code = (format: string): AnySchemaObject => ({ type: 'string', maxLength: 64, format });
const optionalCode = (format: string): AnySchemaObject =>
  ({ type: ['string', 'null'], maxLength: 2_048, format });
type Properties = Readonly<Record<string, AnySchemaObject>>;

const optionalObject = (properties: Properties): AnySchemaObject =>
  ({ type: ['object', 'null'], additionalProperties: false, properties });
const object = (
  properties: Properties,
  required: readonly string[] = [],
): AnySchemaObject => ({ type: 'object', additionalProperties: false, required, properties });
const share: AnySchemaObject = { type: ['number', 'null'], minimum: 0, maximum: 1 };
const range: AnySchemaObject = { type: ['string', 'null'], pattern: '^\\d{1,15}_\\d{1,15}$' };

const MAX_HEADS = 50;

const address = {
  city: optionalText(100),
  country: optionalCode('country-address'),
  line1: optionalText(200),
  'zip-code': optionalText(20),
};

const human = {
  'first-name': text(100),
  'last-name': text(100),
  address: optionalObject(address),
  birth: optionalObject({
    country: optionalCode('country-birth'),
    date: optionalCode('date'),
    department: optionalText(100),
    place: optionalText(100),
  }),
  'country-residence': optionalCode('country-address'),
  nationality: optionalCode('country-nationality'),
};

const person = object({ id: { type: 'string', pattern: '^pers_[A-Za-z0-9]{24}$' }, ...human });

const user = object({
  ...human,
  contact: object({
    email: code('email'), phone: optionalCode('phone'), lang: optionalCode('language'),
  }),
});

/** The same with what creation requires (completion). */
const newUser = object(
  {
    ...human,
    contact: object(
      { email: code('email'), phone: optionalCode('phone'), lang: optionalCode('language') },
      ['email'],
    ),
  },
  ['first-name', 'last-name', 'contact'],
);

const owner = object(
  {
    person, capital: share, votes: share, control: { type: ['boolean', 'null'] },
    'transaction-identifier': optionalText(200),
  },
  ['person'],
);

const representatives = {
  type: 'array', maxItems: MAX_HEADS, items: { $ref: '#/$defs/representative' },
};

const representative = {
  ...object({
    person,
    company: object({
      id: { type: 'string', pattern: '^comp_[A-Za-z0-9]{24}$' },
      'legal-form': code('legal-form'),
      country: code('country-legal_form'),
      'legal-id': text(40),
      'legal-name': text(200),
      'headquarters-address': optionalObject(address),
      'activity-reference': optionalCode('naf-code'),
      representatives: { ...representatives, minItems: 1 },
    }),
    position: optionalText(64),
    'transaction-identifier': optionalText(200),
  }),
  oneOf: [{ required: ['person'] }, { required: ['company'] }],
};

const properties = {
  user,
  'legal-form': code('legal-form'),
  country: code('country-legal_form'),
  'legal-id': text(40),
  'legal-name': text(200),
  'date-registration': optionalCode('date'),
  url: optionalCode('web-address'),
  'headquarters-address': optionalObject(address),
  iban: optionalCode('iban'),
  services: {
    type: ['array', 'null'], maxItems: 20, items: object({ type: code('service') }, ['type']),
  },
  'activity-reference': optionalCode('naf-code'),
  'average-basket': range,
  'forecast-turnover': range,
  'field-of-activity': optionalCode('field-of-activity'),
  pnfe: { type: ['boolean', 'null'] },
  owners: { type: 'array', maxItems: MAX_HEADS, items: owner },
  representatives,
  'shipping-address': optionalObject({
    ...address,
    'business-name': optionalText(200),
    line2: optionalText(200),
    'contact-name': optionalText(100),
    phone: optionalCode('phone'),
  }),
};

const $defs = { representative };

export const newCompanyBody = wireCheck<CompanyInput>({
  $defs,
  ...object({ ...properties, user: newUser }, [
    'user', 'country', 'legal-form', 'legal-id', 'legal-name',
  ]),
});

export const companyPatchBody: WireCheck<CompanyInput> = wireCheck<CompanyInput>({
  $defs, ...object(properties),
});

/** Which company: an id that has no company is a 404, whatever it looks like. */
export const idQuery = wireQuery<{ readonly id: string }>({ id: { type: 'string' } });
export const companyQuery = wireQuery<{ readonly company: string }>({
  company: { type: 'string' },
});

export const headQuery = wireQuery<{
  readonly company: string;
  readonly id: string;
  readonly type: 'representative' | 'owner';
}>({
  company: { type: 'string' },
  id: { type: 'string' },
  type: { type: 'string', enum: ['representative', 'owner'] },
});
