import type { TestValue } from '../../api/test-value.js';
import { type CardBrand, TEST_CARDS, TEST_IBANS } from '../../collection/banks/test-values.js';
import type { Locale } from '../web/locale.js';

/** One test card or test account in the list that the page shows in test mode. */
export interface TestHelp {
  /** The number in groups of four, as typed. */
  readonly number: string;
  readonly scenario: string;
  readonly response: string;
  readonly accepted: boolean;
}

/** A test card, with the brand that the page shows while the number is typed. */
export interface TestCardHelp extends TestHelp {
  readonly brand: CardBrand;
}

/** The French names of the test scenarios; the country of a test card is appended to the name. */
const FRENCH: Readonly<Record<string, string>> = {
  'Accepted, 3D Secure optional': 'Acceptée, 3D Secure facultatif',
  'Accepted, 3D Secure not required': 'Acceptée, sans 3D Secure',
  'Accepted, 3D Secure not enrolled': 'Acceptée, non inscrite à 3D Secure',
  'Accepted, usable through API channels': 'Acceptée, utilisable par l’API',
  '3D Secure required': '3D Secure exigé',
  'Do not honor': 'Refus de la banque',
  'Insufficient funds': 'Provision insuffisante',
  'Lost card': 'Carte perdue',
  'Accepted then disputed (national network)': 'Acceptée puis contestée (réseau national)',
  'Accepted then disputed (first international network)':
    'Acceptée puis contestée (premier réseau international)',
  'Debit accepted': 'Prélèvement accepté',
  'Incorrect account number': 'Numéro de compte incorrect',
  'Closed account number': 'Compte clôturé',
  'Blocked account': 'Compte bloqué',
  'Debits forbidden for this account': 'Prélèvements interdits sur ce compte',
  'Insufficient funds on the account': 'Provision du compte insuffisante',
  'No mandate': 'Aucun mandat',
  'Refund request by end customer': 'Remboursement demandé par le client',
  'Refusal by debtor': 'Refus du débiteur',
  'Debited then disputed, insufficient funds': 'Débité puis contesté, provision insuffisante',
  'Debited then disputed, closed account': 'Débité puis contesté, compte clôturé',
  'Accepted then disputed (second international network)':
    'Acceptée puis contestée (second réseau international)',
};

const scenarioIn = (locale: Locale, scenario: string): string => {
  const [, what = scenario, country = ''] = /^(.*?)( \([A-Z]{2}\))?$/.exec(scenario) ?? [];
  return locale === 'fr' ? `${FRENCH[what] ?? what}${country}` : scenario;
};

const help = ({ value, scenario, response, result }: TestValue, locale: Locale): TestHelp => ({
  number: value.replace(/(.{4})(?=.)/g, '$1 '),
  scenario: scenarioIn(locale, scenario),
  response,
  accepted: result !== 'Refused',
});

/** The published test cards as the page lists them. */
export const testCards = (locale: Locale): readonly TestCardHelp[] =>
  TEST_CARDS.map((card) => ({ ...help(card, locale), brand: card.brand }));

/** The published test accounts as the page lists them. */
export const testAccounts = (locale: Locale): readonly TestHelp[] =>
  TEST_IBANS.map((account) => help(account, locale));
