import type { TestValue } from '../../api/test-value.js';

/** The card network: the national network, or the first or second international network. */
export type CardBrand = 'cb' | 'visa' | 'mastercard';

/**
 * A test card and the behaviour of its bank. A row of the specification's table of test values may
 * have several cards, one for each issuer country.
 */
export interface TestCard {
  readonly kind: 'card';
  readonly scenario: string;
  /** The card number. */
  readonly value: string;
  readonly response: string;
  readonly result: 'Accepted' | 'Captured' | 'Refused' | 'Disputed';
  /** Issuer country, ISO 3166 alpha-2. */
  readonly country: string;
  readonly brand: CardBrand;
  /** `optional`: the bank requires 3-D Secure, except when the merchant sends `threeds: none`. */
  readonly threeds: 'optional' | 'not_required' | 'not_enrolled';
}

const card =
  (result: TestCard['result'], threeds: TestCard['threeds'], response = '00') =>
  (value: string, country: string, scenario: string, brand: CardBrand = 'visa'): TestCard => ({
    kind: 'card',
    scenario,
    value,
    response,
    result,
    country,
    brand,
    threeds,
  });

const optional = card('Accepted', 'optional');
const notRequired = card('Accepted', 'not_required');
const notEnrolled = card('Accepted', 'not_enrolled');
const captured = card('Captured', 'not_required');
const disputed = card('Disputed', 'not_required');
const refused = (response: string) => card('Refused', 'not_required', response);

/**
 * Every number passes the Luhn check and can belong to no cardholder: ISO/IEC 7812 reserves numbers
 * that begin with 9 for national use with a country code, and 999 is no country's code.
 */
export const TEST_CARDS: readonly TestCard[] = [
  optional('9999000000000012', 'FR', 'Accepted, 3D Secure optional (FR)'),
  optional('9999000000000020', 'DE', 'Accepted, 3D Secure optional (DE)', 'mastercard'),
  optional('9999000000000038', 'IT', 'Accepted, 3D Secure optional (IT)'),
  optional('9999000000000046', 'ES', 'Accepted, 3D Secure optional (ES)', 'mastercard'),
  optional('9999000000000053', 'US', 'Accepted, 3D Secure optional (US)'),
  optional('9999000000000061', 'GB', 'Accepted, 3D Secure optional (GB)', 'mastercard'),
  notRequired('9999000000000079', 'FR', 'Accepted, 3D Secure not required (FR)', 'cb'),
  notRequired('9999000000000087', 'DE', 'Accepted, 3D Secure not required (DE)', 'mastercard'),
  notEnrolled('9999000000000095', 'FR', 'Accepted, 3D Secure not enrolled (FR)', 'cb'),
  notEnrolled('9999000000000103', 'GB', 'Accepted, 3D Secure not enrolled (GB)'),
  captured('9999000000000111', 'FR', 'Accepted, usable through API channels'),
  refused('A1')('9999000000000129', 'FR', '3D Secure required'),
  refused('05')('9999000000000137', 'FR', 'Do not honor'),
  refused('51')('9999000000000145', 'FR', 'Insufficient funds'),
  refused('41')('9999000000000152', 'FR', 'Lost card'),
  disputed('9999000000000160', 'FR', 'Accepted then disputed (national network)', 'cb'),
  disputed('9999000000000178', 'FR', 'Accepted then disputed (first international network)'),
  disputed(
    '9999000000000186',
    'FR',
    'Accepted then disputed (second international network)',
    'mastercard',
  ),
];

const byNumber = new Map(TEST_CARDS.map((known) => [known.value, known]));

/** The test card with this number (digits only). */
export const testCardOf = (number: string): TestCard | undefined => byNumber.get(number);

const byScenario = new Map(TEST_CARDS.map((known) => [known.scenario, known]));

/** The test card of a scenario; cards are stored with their scenario instead of their number. */
export const testCardOfScenario = (scenario: string): TestCard | undefined =>
  byScenario.get(scenario);

/**
 * A test bank account and the result of its debits; each test account is one row of the
 * specification's table.
 */
export interface TestIban {
  readonly kind: 'sepa';
  readonly scenario: string;
  /** The IBAN in electronic form. */
  readonly value: string;
  /** The bank's response code for the debit; if the debit is disputed later, the dispute code. */
  readonly response: string;
  readonly result: 'Accepted' | 'Refused' | 'Disputed';
}

const account =
  (result: TestIban['result']) =>
  (value: string, response: string, scenario: string): TestIban => ({
    kind: 'sepa',
    scenario,
    value,
    response,
    result,
  });

const accepted = (value: string): TestIban =>
  account('Accepted')(value, '00', `Debit accepted (${value.slice(0, 2)})`);
const returned = account('Refused');
const contested = account('Disputed');

/**
 * Every IBAN passes its checksum and national checks, and belongs to no account: its bank code is
 * zero, or XXXX where bank codes have letters, and no country assigns these bank codes.
 */
export const TEST_IBANS: readonly TestIban[] = [
  accepted('FR7600000000000000000000194'),
  accepted('DE79000000000000000002'),
  accepted('ES4400000000040000000003'),
  accepted('IT35P0000000000000000000004'),
  accepted('NL12XXXX0000000005'),
  accepted('PT50000000000000000000680'),
  accepted('IE54XXXX00000000000007'),
  accepted('AT930000000000000008'),
  accepted('LU610000000000000009'),
  accepted('FI2200000000000100'),
  accepted('GR6100000000000000000000011'),
  returned('FR7600000000000000000001261', 'AC01', 'Incorrect account number'),
  returned('FR7600000000000000000001358', 'AC04', 'Closed account number'),
  returned('FR7600000000000000000001455', 'AC06', 'Blocked account'),
  returned('FR7600000000000000000001552', 'AG01', 'Debits forbidden for this account'),
  returned('FR7600000000000000000001649', 'AM04', 'Insufficient funds on the account'),
  returned('FR7600000000000000000001746', 'MD01', 'No mandate'),
  returned('FR7600000000000000000001843', 'MD06', 'Refund request by end customer'),
  returned('FR7600000000000000000001940', 'MS02', 'Refusal by debtor'),
  contested('FR7600000000000000000002037', 'AM04', 'Debited then disputed, insufficient funds'),
  contested('FR7600000000000000000002134', 'AC04', 'Debited then disputed, closed account'),
];

const byIban = new Map(TEST_IBANS.map((known) => [known.value, known]));

/** The test account with this IBAN (electronic form). */
export const testIbanOf = (iban: string): TestIban | undefined => byIban.get(iban);

const byDebitScenario = new Map(TEST_IBANS.map((known) => [known.scenario, known]));

/**
 * The test account of a scenario; a bank account is stored with its scenario instead of its IBAN.
 */
export const testIbanOfScenario = (scenario: string): TestIban | undefined =>
  byDebitScenario.get(scenario);

export const TEST_VALUES: readonly TestValue[] = [...TEST_CARDS, ...TEST_IBANS].map(
  ({ kind, scenario, value, response, result }) => ({ kind, scenario, value, response, result }),
);
