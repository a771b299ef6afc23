import { isValidIBAN } from 'ibantools';
import { ibanIn } from '../sepa/iban.js';
import { TEST_IBANS, TEST_VALUES, testIbanOf, testIbanOfScenario } from './test-values.js';

const responsesOf = (result: string): string[] =>
  TEST_IBANS.filter((iban) => iban.result === result)
    .map(({ response }) => response)
    .sort();

describe('the test IBANs', () => {
  test('cover every SEPA row of the specification', () => {
    expect(new Set(responsesOf('Accepted'))).toEqual(new Set(['00']));
    expect(responsesOf('Refused')).toEqual([
      'AC01',
      'AC04',
      'AC06',
      'AG01',
      'AM04',
      'MD01',
      'MD06',
      'MS02',
    ]);
    expect(responsesOf('Disputed')).toEqual(['AC04', 'AM04']);
  });

  test('include accepted IBANs of many countries', () => {
    const accepted = TEST_IBANS.filter(({ result }) => result === 'Accepted');
    const countries = new Set(accepted.map(({ value }) => value.slice(0, 2)));
    expect(countries.size).toBe(accepted.length);
    expect([...countries]).toEqual(expect.arrayContaining(['FR', 'DE', 'IT', 'ES']));
  });

  test.each(TEST_IBANS.map(({ value }) => value))(
    'are valid and belong to no real bank: %s',
    (value) => {
      expect(ibanIn(value)).toBe(value);
      expect(isValidIBAN(value)).toBe(true);
      expect(value.slice(4)).toMatch(/^[A-Z]?000|^XXXX/);
    },
  );

  test('have unique values and unique scenarios', () => {
    for (const iban of TEST_IBANS) {
      expect(testIbanOf(iban.value)).toBe(iban);
      expect(testIbanOfScenario(iban.scenario)).toBe(iban);
    }
    expect(new Set(TEST_VALUES.map(({ scenario }) => scenario)).size).toBe(TEST_VALUES.length);
    expect(new Set(TEST_VALUES.map(({ value }) => value)).size).toBe(TEST_VALUES.length);
  });
});
