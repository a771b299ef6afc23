import { merchantAggregate } from './merchant-aggregate.js';
import type { MerchantEvent } from './merchant-event.js';

const at = '2026-03-02T10:00:00.000Z';

/** As an event of version 1 is read today. */
const upcast = (type: MerchantEvent['type'], data: object): unknown =>
  merchantAggregate.upcasters[type].reduce<Readonly<Record<string, unknown>>>(
    (before, lift) => lift(before, 'mer_1'), { ...data, at },
  );

test('what was missing by its old names is read by those of today', () => {
  const missing = ['kbis', 'idcard.pers_1', 'headquarters-address.zip-code', 'signature'];
  expect(upcast('RequirementsObserved', { missing, readAt: at })).toEqual({
    missing: [
      'documents.kbis', 'documents.idcard.pers_1', 'headquartersAddress.zipCode', 'signature',
    ],
    readAt: at, at,
  });
});

test('what has been written by its new name keeps it, and `iban` stays either', () => {
  const missing = ['documents.kbis', 'documents.iban', 'iban'];
  expect(upcast('RequirementsObserved', { missing, readAt: at })).toMatchObject({ missing });
});

test('a refusal and a revision by the provider’s names are read by ours', () => {
  expect(upcast('RegistrationRejected', { reason: 'email-unavailable', fields: ['legal-id'] }))
    .toEqual({ reason: 'email_unavailable', fields: ['legalId'], at });
  expect(upcast('DetailsRevised', { detailsRef: null, fields: ['shipping-address'] }))
    .toEqual({ detailsRef: null, fields: ['shippingAddress'], at });
  expect(upcast('TerminalOrderRejected', { requestId: 'req_1', reason: 'not-allowed' }))
    .toEqual({ requestId: 'req_1', reason: 'not_allowed', at });
});
