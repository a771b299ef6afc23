import { merchantAggregate } from './merchant-aggregate.js';
import type { MerchantEvent } from './merchant-event.js';
import { upcastAwaited } from './upcasts.js';

const at = '2026-03-02T10:00:00.000Z';

/** An event of schema version 1, upcast to the current version. */
const upcast = (type: MerchantEvent['type'], data: object): unknown =>
  merchantAggregate.upcasters[type].reduce<Readonly<Record<string, unknown>>>(
    (before, step) => step(before, 'mer_1'),
    { ...data, at },
  );

test('the old names of missing items are upcast to the current names', () => {
  const missing = [
    'kbis',
    'idcard.pers_1',
    'headquarters-address.zip-code',
    'user.contact.phone',
    'owners.0.person.birth',
    'representatives.comp_1.company.activity-reference',
    'signature',
  ];
  expect(upcast('RequirementsObserved', { missing, readAt: at })).toEqual({
    missing: [
      'documents.registration_extract',
      'documents.identity_card.pers_1',
      'company.address.postalCode',
      'contact.phone',
      'owners.0.person.birth',
      'representatives.comp_1.company.activity.code',
      'signature',
    ],
    readAt: at,
    at,
  });
});

test('the old missing item `iban` is upcast to the field `payoutAccount.iban`, and `documents.iban` to a document', () => {
  const missing = ['documents.kbis', 'documents.iban', 'iban'];
  expect(upcast('RequirementsObserved', { missing, readAt: at })).toMatchObject({
    missing: [
      'documents.registration_extract',
      'documents.bank_account_proof',
      'payoutAccount.iban',
    ],
  });
});

test('the provider’s field names in a refusal and a revision are upcast to our names', () => {
  const fields = ['legal-id', 'user.contact.email', 'owners.0.capital'];
  expect(upcast('RegistrationRejected', { reason: 'email-unavailable', fields })).toEqual({
    reason: 'email_unavailable',
    at,
    fields: ['company.registrationNumber', 'contact.email', 'owners.0.ownershipPercent'],
  });
  expect(
    upcast('DetailsRevised', { detailsRef: null, fields: ['shipping-address', 'user'] }),
  ).toEqual({ detailsRef: null, fields: ['deliveryAddress', 'contact'], at });
  expect(upcast('TerminalOrderRejected', { requestId: 'req_1', reason: 'not-allowed' })).toEqual({
    requestId: 'req_1',
    reason: 'not_allowed',
    at,
  });
});

test('the provider’s kinds of documents are upcast to our kinds', () => {
  expect(
    upcast('DocumentsUploaded', { kind: 'kbis', personId: null, documentIds: ['dcmt_1'] }),
  ).toEqual({ kind: 'registration_extract', personId: null, documentIds: ['dcmt_1'], at });
});

test.each([
  ['notComplete', 'incomplete'],
  ['pendingActivation', 'in_review'],
  ['validated', 'validated'],
  ['available', 'available'],
  ['pendingDeactivation', 'closing'],
  ['deactivate', 'closed'],
])('the status %s is upcast to %s in every event that contains a status', (status, today) => {
  for (const type of [
    'CompanyStatusChanged',
    'CompanyStatusConfirmed',
    'EarlierStatusObserved',
  ] as const)
    expect(upcast(type, { status, terminatedByService: null, source: 'answer' })).toEqual({
      status: today,
      terminatedByProvider: null,
      source: 'response',
      at,
    });
  expect(upcast('CompanyStatusOverdue', { status })).toEqual({ status: today, at });
  expect(upcast('MerchantDisabled', { reason: status })).toEqual({ reason: today, at });
  const mismatch = { aspect: 'status', expected: status, observed: 'onHoliday' };
  expect(upcast('CompanyMismatchObserved', mismatch)).toEqual({
    ...mismatch,
    expected: today,
    observed: 'unrecognized onHoliday',
    at,
  });
  const account = { aspect: 'account', expected: status, observed: 'acct_2' };
  expect(upcast('CompanyMismatchObserved', account)).toEqual({ ...account, at });
  expect(upcastAwaited({ status: 'following', awaited: status }, 'mer_1')).toEqual({
    status: 'following',
    awaited: today,
  });
});

test('a saga state that waits for no status is not changed by the upcast', () => {
  expect(upcastAwaited({ status: 'none' }, 'mer_1')).toEqual({ status: 'none' });
  expect(upcastAwaited({ awaited: null }, 'mer_1')).toEqual({ awaited: null });
});

test.each([
  ['pendingOrder', 'pending'],
  ['orderCancelled', 'canceled'],
  ['delivred', 'delivered'],
  ['shipped', 'shipped'],
  ['posLostByCarrier', 'lost'],
  ['onHoliday', 'unrecognized onHoliday'],
])('the status %s of a terminal is upcast to %s', (status, today) => {
  expect(upcast('TerminalObserved', { terminalId: 'term_1', status })).toEqual({
    terminalId: 'term_1',
    status: today,
    at,
  });
});
