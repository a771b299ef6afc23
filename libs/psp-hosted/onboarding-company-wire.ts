import { codeAndName, legalForm, range } from './onboarding-wire.js';
import { flag, text, textOrNull, wholeNumber } from './wire-decode.js';
import { day, type FieldReader, id, inner, listOf, optional, shape, share } from './wire-shape.js';

/**
 * Companies as the onboarding API shows them, with its own names and not interpreted. They contain
 * personal data: the caller receives them, and they are stored in no event, topic or log.
 */

const country = shape('country', {
  alpha2: text,
  alpha3: text,
  name: text,
  numeric: wholeNumber,
});

const addressFields = {
  id: id('addr'),
  line1: textOrNull,
  'zip-code': textOrNull,
  city: textOrNull,
  country: optional(inner(country)),
};

const contactFields = { email: text, phone: textOrNull, lang: textOrNull };

const person = shape('person', {
  id: id('pers'),
  'first-name': text,
  'last-name': text,
  address: optional(inner(shape('address', addressFields))),
  birth: optional(
    inner(
      shape('birth', {
        country: optional(inner(country)),
        date: optional(day),
        department: textOrNull,
        place: textOrNull,
      }),
    ),
  ),
  contact: optional(inner(shape('contact', contactFields))),
  'country-residence': optional(inner(country)),
  nationality: optional(inner(country)),
});

const headquarters = shape('headquarters', { 'business-name': textOrNull, ...addressFields });

/** A document's id, kind and name; its content is not read. */
const document = shape('document', {
  id: id('dcmt'),
  'document-name': text,
  'document-type': text,
});

export type WirePerson = ReturnType<typeof person>;
export type WireDocument = ReturnType<typeof document>;

const owner = shape('owner', {
  person: inner(person),
  capital: optional(share),
  votes: optional(share),
  control: optional(flag),
  documents: inner(listOf(document)),
  'transaction-identifier': textOrNull,
});

/** A person, or a company with representatives of its own. */
export interface WireRepresentative {
  readonly person: WirePerson | null;
  readonly company: {
    readonly id: string;
    readonly 'legal-id': string;
    readonly 'legal-name': string;
    readonly representatives: readonly WireRepresentative[];
  } | null;
  readonly position: { readonly code: string; readonly name: string } | null;
  readonly documents: readonly WireDocument[];
  readonly 'transaction-identifier': string | null;
}

const representatives: FieldReader<readonly WireRepresentative[]> = (fields, name) =>
  listOf(representative)(fields[name]);

const representative: (value: unknown) => WireRepresentative = shape('representative', {
  person: optional(inner(person)),
  company: optional(
    inner(
      shape('representing company', {
        id: id('comp'),
        'legal-id': text,
        'legal-name': text,
        representatives,
      }),
    ),
  ),
  position: optional(inner(codeAndName)),
  documents: inner(listOf(document)),
  'transaction-identifier': textOrNull,
});

const company = shape('company', {
  id: id('comp'),
  status: text,
  accounts: inner(listOf(shape('account', { id: id('acct'), name: text, created: day }))),
  'legal-id': text,
  'legal-name': text,
  'trade-name': textOrNull,
  'legal-form': optional(inner(legalForm)),
  country: optional(inner(country)),
  'date-registration': optional(day),
  url: textOrNull,
  iban: textOrNull,
  pnfe: optional(flag),
  mcc: optional(inner(shape('mcc', { code: wholeNumber, name: text }))),
  'activity-reference': textOrNull,
  'average-basket': optional(inner(range)),
  'forecast-turnover': optional(inner(range)),
  'enabled-services': inner(listOf(shape('service', { type: text }))),
  'headquarters-address': optional(inner(headquarters)),
  contact: inner(shape('contact', { ...contactFields, name: text })),
  documents: inner(listOf(document)),
  owners: inner(listOf(owner)),
  representatives,
});

export const decodeUploads = shape('uploads', {
  'company-documents': inner(
    listOf(
      shape('expected document', {
        document: text,
        'upload-url': text,
      }),
    ),
  ),
  'identity-documents': inner(
    listOf(
      shape('expected identity document', {
        id: id('pers'),
        'first-name': text,
        'last-name': text,
        'transaction-identifier': textOrNull,
        'upload-url': text,
      }),
    ),
  ),
});

/** The answer of POST, GET and PATCH /company. */
export const decodeCompanyAnswer = shape('company answer', {
  company: inner(company),
  'documents-to-upload': inner(decodeUploads),
  user: inner(
    shape('user', {
      id: id('user'),
      username: text,
      contact: inner(shape('contact', contactFields)),
      person: inner(person),
    }),
  ),
});

export type WireUploads = ReturnType<typeof decodeUploads>;
export type WireCompanyAnswer = ReturnType<typeof decodeCompanyAnswer>;
