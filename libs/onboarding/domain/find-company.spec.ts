import { isSought } from './find-company.js';

const sought = { email: 'camille@example.test', registrationNumber: '732829320' };

test('a company is found by its email and registration number, in any spelling', () => {
  expect(
    isSought({ email: 'Camille@Example.test', registrationNumber: '73282932000074' }, sought),
  ).toBe(true);
  expect(
    isSought(
      { email: 'camille@example.test', registrationNumber: '732 829 320 00074' },
      { ...sought, registrationNumber: '73282932000074' },
    ),
  ).toBe(true);
  const abroad = { email: 'a@example.test', registrationNumber: 'HRB 12345' };
  expect(isSought({ ...abroad, registrationNumber: 'hrb12345' }, abroad)).toBe(true);
});

test('a company is not found if its email, registration number or establishment differs from our request', () => {
  const found = { email: 'camille@example.test', registrationNumber: '73282932000074' };
  expect(isSought({ ...found, email: 'camilla@example.test' }, sought)).toBe(false);
  expect(isSought({ ...found, email: 'cami.lle@example.test' }, sought)).toBe(false);
  expect(isSought({ ...found, registrationNumber: '55208131766522' }, sought)).toBe(false);
  expect(isSought(found, { ...sought, registrationNumber: '73282932000082' })).toBe(false);
  expect(isSought({ ...found, registrationNumber: '7328293201' }, sought)).toBe(false);
});
