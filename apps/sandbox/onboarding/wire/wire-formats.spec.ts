import { ibanIn, phoneIn, WIRE_FORMATS } from './wire-formats.js';

test.each([
  ['FR76 3000 6000 0112 3456 7890 189', 'FR7630006000011234567890189'],
  ['de89370400440532013000', 'DE89370400440532013000'],
])('the IBAN %s is stored without spaces and in capitals', (text, iban) => {
  expect(ibanIn(text)).toBe(iban);
});

test.each([
  ['a wrong checksum', 'FR7630006000011234567890188'],
  ['a digit too few for the country', 'FR763000600001123456789018'],
  ['a country without IBANs', 'US7630006000011234567890189'],
  ['no IBAN at all', 'iban'],
])('%s is rejected as an IBAN', (_, text) => {
  expect(ibanIn(text)).toBeNull();
});

test('a phone number requires a country code and the length of its country’s numbers', () => {
  expect(phoneIn('+33 6 12 34 56 78')).toBe('+33612345678');
  expect(phoneIn('0612345678')).toBeNull();
  expect(phoneIn('+336')).toBeNull();
});

test.each([
  ['date', '2026-02-28', '2026-02-30'],
  ['date', '2024-02-29', '2026-2-1'],
  ['date', '1900-01-01', '1899-12-31'],
  ['date', '2999-12-31', '0000-01-01'],
  ['email', 'ada@example.test', 'ada@example'],
  ['email', 'a.b+c@mail.example.test', 'a b@example.test'],
  ['web-address', 'https://shop.example.test/fr', 'javascript:alert(1)'],
  ['naf-code', '47.11D', '47.11'],
  ['language', 'fr', 'fra'],
  ['legal-form', 'fra-sas', 'SAS'],
  ['country-address', 'fra', 'FRA'],
])('the format %s accepts %s and rejects %s', (format, good, bad) => {
  expect(WIRE_FORMATS[format]?.holds(good)).toBe(true);
  expect(WIRE_FORMATS[format]?.holds(bad)).toBe(false);
});
