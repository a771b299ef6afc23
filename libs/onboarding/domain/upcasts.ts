import { assert, renameFields, type Upcaster } from '#kernel';
import { isCompanyStatus } from './company-status.js';

/**
 * Maps the provider's words in old events to ours. New events contain only our words, because an
 * adapter maps them before anything is recorded.
 */

type Words = Readonly<Record<string, string>>;

const wordIn = (words: Words, word: unknown): string =>
  (Object.hasOwn(words, String(word)) ? words[String(word)] : undefined) ?? String(word);

const textsOf = (value: unknown): readonly string[] => {
  assert(Array.isArray(value), 'the stored value is a list');
  return value.map(String);
};

const DOCUMENT_KINDS: Words = {
  kbis: 'registration_extract',
  iban: 'bank_account_proof',
  idcard: 'identity_card',
};

const COMPANY_STATUSES: Words = {
  notComplete: 'incomplete',
  pendingActivation: 'in_review',
  pendingDeactivation: 'closing',
  deactivate: 'closed',
};

const TERMINAL_STATUSES: Words = {
  pendingOrder: 'pending',
  orderCancelled: 'canceled',
  orderInProgress: 'in_progress',
  delivred: 'delivered',
  posLostByCarrier: 'lost',
  pendingPosReturn: 'return_pending',
  poskeptByMerchant: 'kept',
  posReturned: 'returned',
};
const UNCHANGED_TERMINAL_STATUSES: readonly string[] = ['shipped', 'activated', 'deactivated'];

const FIRST_STEPS: Words = {
  user: 'contact',
  country: 'company.country',
  'legal-form': 'company.legalForm',
  'legal-id': 'company.registrationNumber',
  'legal-name': 'company.legalName',
  'date-registration': 'company.registeredOn',
  url: 'company.website',
  'headquarters-address': 'company.address',
  'activity-reference': 'company.activity.code',
  'field-of-activity': 'company.activity.sector',
  'average-basket': 'company.activity.averageBasket',
  'forecast-turnover': 'company.activity.forecastTurnover',
  pnfe: 'company.passiveNonFinancialEntity',
  iban: 'payoutAccount.iban',
  services: 'products',
  'shipping-address': 'deliveryAddress',
};

const LATER_STEPS: Words = {
  'zip-code': 'postalCode',
  'first-name': 'firstName',
  'last-name': 'lastName',
  'country-residence': 'residenceCountry',
  lang: 'language',
  'business-name': 'businessName',
  'contact-name': 'contactName',
  'legal-form': 'legalForm',
  'legal-id': 'registrationNumber',
  'legal-name': 'legalName',
  'headquarters-address': 'address',
  'activity-reference': 'activity.code',
  capital: 'ownershipPercent',
  votes: 'votingPercent',
  control: 'controls',
  'transaction-identifier': 'reference',
};

const ourPath = (path: string): string => {
  const [first = '', ...later] = path.replace(/^user\.contact(?=\.|$)/, 'user').split('.');
  if (first !== 'documents') {
    const steps = later.map((step) => wordIn(LATER_STEPS, step));
    return [wordIn(FIRST_STEPS, first), ...steps].join('.');
  }
  const [kind = '', ...person] = later;
  return [first, wordIn(DOCUMENT_KINDS, kind), ...person].join('.');
};

const isOfDocumentAlone = (item: string): boolean => item === 'kbis' || item.startsWith('idcard.');

/**
 * The name in version 2 of `RequirementsObserved` for an item of version 1. In version 2 the name
 * of a document begins with `documents.`. A bare `iban` is not renamed, because
 * in version 1 it could stand for the field, for the document, or for both.
 */
const requirementV2 = (item: string): string =>
  isOfDocumentAlone(item) ? `documents.${item}` : item;

const withMissing =
  (rename: (item: string) => string): Upcaster =>
  (data) => ({ ...data, missing: textsOf(data['missing']).map(rename) });

const upcastFields: Upcaster = (data) => ({
  ...data,
  fields: textsOf(data['fields']).map(ourPath),
});

const upcastReason: Upcaster = (data) => ({
  ...data,
  reason: String(data['reason']).replaceAll('-', '_'),
});

/** Creates an upcaster that replaces the provider's word in a field by our word. */
const withWord =
  (field: string, words: Words): Upcaster =>
  (data) => ({ ...data, [field]: wordIn(words, data[field]) });

const upcastStatus = withWord('status', COMPANY_STATUSES);

const upcastSource: Upcaster = (data, id) =>
  withWord('source', { answer: 'response' })(
    renameFields({ terminatedByService: 'terminatedByProvider' })(data, id),
    id,
  );

/**
 * Marks a status that we do not know. Older releases recorded such a status unmarked; today an
 * adapter marks it.
 */
const observedWord = (words: Words, isOurs: (word: string) => boolean, word: unknown): string => {
  const today = wordIn(words, word);
  return isOurs(today) || Object.hasOwn(words, String(word)) ? today : `unrecognized ${today}`;
};

const companyStatus = (word: unknown): string =>
  observedWord(COMPANY_STATUSES, isCompanyStatus, word);

/**
 * Upcasts a mismatch: its expected and observed values are statuses if its aspect is the status.
 */
const upcastMismatch: Upcaster = (data) =>
  data['aspect'] === 'status'
    ? {
        ...data,
        expected: companyStatus(data['expected']),
        observed: companyStatus(data['observed']),
      }
    : data;

const upcastTerminal: Upcaster = (data) => {
  const isOurs = (word: string): boolean => UNCHANGED_TERMINAL_STATUSES.includes(word);
  return { ...data, status: observedWord(TERMINAL_STATUSES, isOurs, data['status']) };
};

/** Upcasts the onboarding saga's state: replaces the provider's word for the awaited status. */
export const upcastAwaited: Upcaster = (state, key) =>
  typeof state['awaited'] === 'string' ? withWord('awaited', COMPANY_STATUSES)(state, key) : state;

/** The upcasters by event type; a type that is not listed has had only one schema. */
export const UPCASTS = {
  DetailsRevised: [upcastFields],
  RegistrationRejected: [(data, id) => upcastReason(upcastFields(data, id), id)],
  RequirementsObserved: [withMissing(requirementV2), withMissing(ourPath)],
  CompanyStatusChanged: [upcastStatus, upcastSource],
  CompanyStatusConfirmed: [upcastStatus, upcastSource],
  EarlierStatusObserved: [upcastStatus, upcastSource],
  DocumentsUploaded: [withWord('kind', DOCUMENT_KINDS)],
  MerchantDisabled: [withWord('reason', COMPANY_STATUSES)],
  TerminalOrderRejected: [upcastReason],
  TerminalObserved: [upcastTerminal],
  CompanyStatusOverdue: [upcastStatus],
  CompanyMismatchObserved: [upcastMismatch],
} as const satisfies Readonly<Record<string, readonly Upcaster[]>>;
