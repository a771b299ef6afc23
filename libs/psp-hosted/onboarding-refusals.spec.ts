import { ProviderRejected } from '#psp';
import { refusedInOurWords } from './onboarding-refusals.js';

const trace = { method: 'POST', pathTemplate: '/company', durationMs: 1 } as const;

const fieldsOf = (message: string, code = 'validation'): unknown =>
  (
    refusedInOurWords(new ProviderRejected(trace, 422, code, message)) as ProviderRejected
  ).faults.map(({ field }) => field);

test('a field that the message of a rejection names is returned with our name', () => {
  expect(fieldsOf('registration is finalized: `iban` is part of the contract')).toEqual([
    'payoutAccount.iban',
  ]);
  expect(fieldsOf('this address is taken', 'email-unavailable')).toEqual(['contact.email']);
});

test('a word in the message of a rejection that is not a field is dropped, because it may be a person’s name', () => {
  expect(fieldsOf('the owner `camille` is unknown')).toEqual([]);
});
