import { codeOfRow } from './onboarding-wire.js';
import { flag, text, textOrNull } from './wire-decode.js';
import {
  type FieldReader,
  id,
  inner,
  listOf,
  optional,
  shape,
  share,
  shownDay,
} from './wire-shape.js';

/**
 * The fields of companies that we use, with the names and values of the onboarding API. They
 * contain personal data: they are returned to the caller, and stored in no event, topic or log.
 */

const country = shape('country', { alpha3: text });

const address = shape('address', {
  line1: textOrNull,
  'zip-code': textOrNull,
  city: textOrNull,
  country: optional(inner(country)),
});

const person = shape('person', {
  id: id('pers'),
  'first-name': text,
  'last-name': text,
  address: optional(inner(address)),
  birth: optional(
    inner(
      shape('birth', {
        country: optional(inner(country)),
        date: optional(shownDay),
        department: textOrNull,
        place: textOrNull,
      }),
    ),
  ),
  'country-residence': optional(inner(country)),
  nationality: optional(inner(country)),
});

/** The id, kind and name of a document, without its content. */
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

/** A representative: a person, or a company that has its own representatives. */
export interface WireRepresentative {
  readonly person: WirePerson | null;
  readonly company: {
    readonly id: string;
    readonly 'legal-id': string;
    readonly 'legal-name': string;
    readonly representatives: readonly WireRepresentative[];
  } | null;
  readonly position: { readonly code: string } | null;
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
  position: optional(inner(codeOfRow)),
  documents: inner(listOf(document)),
  'transaction-identifier': textOrNull,
});

const company = shape('company', {
  id: id('comp'),
  status: text,
  accounts: inner(listOf(shape('account', { id: id('acct') }))),
  'legal-id': text,
  'legal-name': text,
  'legal-form': optional(inner(codeOfRow)),
  country: optional(inner(country)),
  'date-registration': optional(shownDay),
  url: textOrNull,
  iban: textOrNull,
  pnfe: optional(flag),
  'activity-reference': textOrNull,
  'average-basket': optional(inner(codeOfRow)),
  'forecast-turnover': optional(inner(codeOfRow)),
  'enabled-services': inner(listOf(shape('service', { type: text }))),
  'headquarters-address': optional(inner(address)),
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
      shape('each expected document must name the person of an identity card', {
        id: id('pers'),
        'transaction-identifier': textOrNull,
        'upload-url': text,
      }),
    ),
  ),
});

/** The response to POST, GET and PATCH /company. */
export const decodeCompanyAnswer = shape('company answer', {
  company: inner(company),
  'documents-to-upload': inner(decodeUploads),
  user: inner(
    shape('user', {
      contact: inner(shape('contact', { email: text, phone: textOrNull, lang: textOrNull })),
      person: inner(person),
    }),
  ),
});

export type WireUploads = ReturnType<typeof decodeUploads>;
export type WireCompanyAnswer = ReturnType<typeof decodeCompanyAnswer>;
