import {
  DATE,
  FLAG,
  INTEGER,
  listOf,
  orNull,
  type Shape,
  shape,
  TEXT,
  type ValueOf,
} from '../../api/answers.js';
import { exactly, idOf } from '../wire/schema.js';
import { COMPANY_STATUSES, type CompanyStatus } from './company-status.js';

const country = exactly({
  alpha2: shape<string>({ type: 'string', pattern: '^[a-z]{2}$' }),
  alpha3: shape<string>({ type: 'string', pattern: '^[a-z]{3}$' }),
  name: TEXT,
  numeric: INTEGER,
});

export const companyStatus = shape<CompanyStatus>({ type: 'string', enum: COMPANY_STATUSES });

const contactFields = { email: TEXT, lang: orNull(TEXT), phone: orNull(TEXT) };
const contact = exactly(contactFields);
export type ContactAnswer = ValueOf<typeof contact>;

const addressFields = {
  city: orNull(TEXT),
  country: orNull(country),
  id: idOf('addr'),
  line1: orNull(TEXT),
  'zip-code': orNull(TEXT),
};

const address = exactly(addressFields);
export type AddressAnswer = ValueOf<typeof address>;

const headquarters = orNull(exactly({ 'business-name': TEXT, ...addressFields }));

const person = exactly({
  address: orNull(address),
  birth: orNull(
    exactly({
      country: orNull(country),
      date: orNull(DATE),
      department: orNull(TEXT),
      place: orNull(TEXT),
    }),
  ),
  contact: orNull(contact),
  'country-residence': orNull(country),
  'first-name': TEXT,
  id: idOf('pers'),
  'last-name': TEXT,
  nationality: orNull(country),
});

export type PersonAnswer = ValueOf<typeof person>;

const range = exactly({ code: TEXT, minimum: INTEGER, maximum: INTEGER });

const legalForm = exactly({
  code: TEXT,
  label: TEXT,
  description: TEXT,
  'has-legal-status': FLAG,
});

const documentFields = { 'document-name': TEXT, id: idOf('dcmt') };

const ibanDocument = exactly({
  ...documentFields,
  'document-type': shape<'iban'>({ const: 'iban' }),
  iban: orNull(TEXT),
});
const kbisDocument = exactly({
  ...documentFields,
  'document-type': shape<'kbis'>({ const: 'kbis' }),
  'date-birth': orNull(DATE),
  name: orNull(TEXT),
  number: orNull(TEXT),
});
export type CompanyDocumentAnswer = ValueOf<typeof ibanDocument> | ValueOf<typeof kbisDocument>;
const companyDocument = shape<CompanyDocumentAnswer>({ oneOf: [ibanDocument, kbisDocument] });

const identityDocument = exactly({
  ...documentFields,
  'document-type': shape<'idcard'>({ const: 'idcard' }),
  address: orNull(TEXT),
  city: orNull(TEXT),
  country: orNull(country),
  'date-birth': orNull(DATE),
  'date-expiry': orNull(DATE),
  'date-issue': orNull(DATE),
  name: orNull(TEXT),
  number: orNull(TEXT),
  'zip-code': orNull(TEXT),
});

export type IdentityAnswer = ValueOf<typeof identityDocument>;

const share = orNull(shape<number>({ type: 'number', minimum: 0, maximum: 1 }));

const owner = exactly({
  capital: share,
  control: orNull(FLAG),
  documents: listOf(identityDocument),
  person,
  'transaction-identifier': orNull(TEXT),
  votes: share,
});

const representativeFields = {
  documents: listOf(identityDocument),
  position: orNull(exactly({ code: TEXT, name: TEXT })),
  'transaction-identifier': orNull(TEXT),
};

/** The schema is recursive: a legal person can be represented by another legal person. */
const representatives: Shape<readonly RepresentativeAnswer[]> = listOf(
  shape({ $ref: '#/$defs/representative' }),
);

const legalPerson = exactly({
  'activity-reference': orNull(TEXT),
  country: orNull(country),
  'headquarters-address': headquarters,
  id: idOf('comp'),
  'legal-form': orNull(legalForm),
  'legal-id': TEXT,
  'legal-name': TEXT,
  representatives,
});
export type LegalPersonAnswer = ValueOf<typeof legalPerson>;

const natural = exactly({ ...representativeFields, person });
const legal = exactly({ ...representativeFields, company: legalPerson });
export type RepresentativeAnswer = ValueOf<typeof natural> | LegalRepresentative;
interface LegalRepresentative extends ValueOf<typeof legal> {}
const representative = { oneOf: [natural, legal] };

const company = exactly({
  id: idOf('comp'),
  status: companyStatus,
  accounts: listOf(exactly({ created: DATE, id: idOf('acct'), name: TEXT })),
  'activity-reference': orNull(TEXT),
  'average-basket': orNull(range),
  'forecast-turnover': orNull(range),
  contact: exactly({ ...contactFields, name: TEXT }),
  country: orNull(country),
  'date-registration': orNull(DATE),
  documents: listOf(companyDocument),
  'enabled-services': listOf(exactly({ type: TEXT })),
  'headquarters-address': headquarters,
  iban: orNull(TEXT),
  'legal-form': orNull(legalForm),
  'legal-id': TEXT,
  'legal-name': TEXT,
  'trade-name': TEXT,
  url: orNull(TEXT),
  mcc: orNull(exactly({ code: INTEGER, name: TEXT })),
  owners: listOf(owner),
  representatives,
  pnfe: orNull(FLAG),
});

export type CompanyAnswer = ValueOf<typeof company>;

const uploadUrl = shape<string>({
  type: 'string',
  pattern: '/api/partners/document/[A-Za-z0-9]{30}$',
});

/**
 * Shared by the response of GET /document-upload-url and by `documents-to-upload` in company
 * responses.
 */
export const uploadsAnswer = exactly({
  'company-documents': listOf(
    exactly({
      document: shape<'kbis' | 'iban'>({ type: 'string', enum: ['kbis', 'iban'] }),
      'upload-url': uploadUrl,
    }),
  ),
  'identity-documents': listOf(
    exactly({
      address: orNull(TEXT),
      city: orNull(TEXT),
      country: orNull(country),
      'date-birth': orNull(DATE),
      'first-name': TEXT,
      id: idOf('pers'),
      'last-name': TEXT,
      'transaction-identifier': orNull(TEXT),
      'upload-url': uploadUrl,
      'zip-code': orNull(TEXT),
    }),
  ),
});

const user = exactly({
  contact,
  'first-name': TEXT,
  id: idOf('user'),
  'last-name': TEXT,
  person,
  username: TEXT,
});

export type UploadsAnswer = ValueOf<typeof uploadsAnswer>;
export type UserAnswer = ValueOf<typeof user>;

const $defs = { representative };

/** The response of PATCH /company-status: the company without its user and expected documents. */
export const companyOnlyAnswer: Shape = { $defs, ...company };

/** The response of POST, GET and PATCH /company. */
export const companyAnswerSchema: Shape = {
  $defs,
  ...exactly({ company, 'documents-to-upload': uploadsAnswer, user }),
};

export const deletedAnswer = exactly({ deleted: shape<true>({ const: true }), id: TEXT });
