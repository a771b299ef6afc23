import type { Method } from '../../money/fees.js';
import { testCardOfScenario, testIbanOfScenario } from './test-values.js';

/**
 * The dispute codes of the test cards, by scenario. Code 4837 is masked: the payer sees code 45
 * instead.
 */
const CODES_OF_CARDS: Readonly<Record<string, string>> = {
  'Accepted then disputed (national network)': '45',
  'Accepted then disputed (first international network)': '1261',
  'Accepted then disputed (second international network)': '4837',
};

/** The bank's decision after the merchant sent evidence. */
const OUTCOMES_OF_CARDS: Readonly<Record<string, 'win' | 'lose'>> = {
  'Accepted then disputed (national network)': 'win',
  'Accepted then disputed (first international network)': 'lose',
  'Accepted then disputed (second international network)': 'win',
};

/**
 * The decision of a test card's bank after the merchant sent evidence. Null for any other card: the
 * dispute is decided manually. See docs/provider/payments-completion.md#settled-after-real-clients.
 */
export const plannedOutcome = (scenario: string | null): 'win' | 'lose' | null =>
  OUTCOMES_OF_CARDS[scenario ?? ''] ?? null;

/**
 * The dispute code with which a payment by this test card or IBAN is disputed one day after its
 * capture. Null: the payment is not disputed automatically. See
 * docs/provider/payments-completion.md#states.
 */
export const plannedDispute = (method: Method, scenario: string | null): string | null => {
  if (scenario === null) return null;
  if (method === 'sepa') {
    const account = testIbanOfScenario(scenario);
    return account?.result === 'Disputed' ? account.response : null;
  }
  const card = testCardOfScenario(scenario);
  return card?.result === 'Disputed' ? (CODES_OF_CARDS[scenario] ?? '45') : null;
};
