import fc from 'fast-check';
import { camelCased, hyphenated, ourPath, pointerOf } from './wire-names.js';

test('names are the provider’s, at every depth and in lists', () => {
  expect(hyphenated({
    legalForm: 'fra-sas', user: { firstName: 'A', contact: { email: 'a@b.test' } },
    owners: [{ person: { countryResidence: 'fra' }, transactionIdentifier: null }],
    headquartersAddress: { line1: '1', zipCode: undefined },
  })).toEqual({
    'legal-form': 'fra-sas', user: { 'first-name': 'A', contact: { email: 'a@b.test' } },
    owners: [{ person: { 'country-residence': 'fra' }, 'transaction-identifier': null }],
    'headquarters-address': { line1: '1' },
  });
});

test('what is renamed comes back by its own names', () => {
  const name = fc.stringMatching(/^[a-z]+([A-Z][a-z]+){0,3}\d?$/);
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 }, fc.string(), fc.integer(), fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(fc.property(value, (given) => {
    expect(camelCased(hyphenated(given))).toEqual(given);
  }));
});

test.each([
  ['user.contact.email', 'user.contact.email', '#/details/user/contact/email'],
  ['owners.0.person.last-name', 'owners.0.person.lastName', '#/details/owners/0/person/lastName'],
  ['headquarters-address.zip-code', 'headquartersAddress.zipCode',
    '#/details/headquartersAddress/zipCode'],
  ['idcard.pers_1', 'idcard.pers_1', '#/details/idcard/pers_1'],
])('the path %s is ours', (path, ours, pointer) => {
  expect(ourPath(path)).toBe(ours);
  expect(pointerOf(path)).toBe(pointer);
});
