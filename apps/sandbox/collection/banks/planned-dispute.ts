import type { Method } from '../../money/fees.js';
import { testCardOfScenario, testIbanOfScenario } from './test-values.js';

/** One code of each network; the last one is masked. */
const CODES_OF_CARDS: Readonly<Record<string, string>> = {
  'Accepted then disputed (national network)': '45',
  'Accepted then disputed (first international network)': '1261',
  'Accepted then disputed (second international network)': '4837',
};

/** What comes of the evidence against it. */
const OUTCOMES_OF_CARDS: Readonly<Record<string, 'win' | 'lose'>> = {
  'Accepted then disputed (national network)': 'win',
  'Accepted then disputed (first international network)': 'lose',
  'Accepted then disputed (second international network)': 'win',
};

/**
 * How the bank of a test card decides once evidence was sent. Null for any other card: somebody
 * decides by hand. docs/provider/payments-completion.md#settled-after-real-clients.
 */
export const plannedOutcome = (scenario: string | null): 'win' | 'lose' | null =>
  OUTCOMES_OF_CARDS[scenario ?? ''] ?? null;

/**
 * The code that a payment is disputed with one day after its capture: from the test card or IBAN it
 * was made with. Null: nobody disputes it by itself. docs/provider/payments-completion.md#states.
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
