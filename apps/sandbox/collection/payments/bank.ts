import { type TestCard, testCardOfScenario } from '../banks/test-values.js';
import type { CardRow } from '../cards/card-resource.js';
import type { IntentRow } from './intent-resource.js';

/** What the card's bank will do with an attempt, known before it begins. */
export interface BankPlan {
  /** The payer has to prove at the bank who they are. */
  readonly authenticate: boolean;
  /** The response code that the bank answers with. */
  readonly response: string;
  readonly testCard: TestCard | undefined;
}

/** What the bank of a card answers that is no test value: it has no scenario of its own. */
export const APPROVED = '00';
export const INVALID_NUMBER = '14';
export const NO_ACQUIRER = '92';
export const AUTHENTICATION_REQUIRED = 'A1';

/**
 * docs/provider/payments-completion.md#conventions: test cards are refused under a live key, and a
 * live key refuses every real card, as no acquirer is connected. Under a test key a card that is no
 * test value behaves as any other: its bank asks for 3-D Secure unless the merchant says none, and
 * approves.
 */
export const planOf = (
  intent: Pick<IntentRow, 'live' | 'threeds'>,
  card: Pick<CardRow, 'scenario'>,
): BankPlan => {
  const testCard = card.scenario === null ? undefined : testCardOfScenario(card.scenario);
  const refused = (response: string): BankPlan => ({ authenticate: false, response, testCard });
  if (intent.live) return refused(testCard === undefined ? NO_ACQUIRER : INVALID_NUMBER);
  if (testCard === undefined) {
    return { authenticate: intent.threeds !== 'none', response: APPROVED, testCard };
  }
  const { threeds, response } = testCard;
  if (threeds === 'not_enrolled') {
    return refused(intent.threeds === 'required' ? AUTHENTICATION_REQUIRED : response);
  }
  const asked = intent.threeds === 'required' || threeds === 'optional';
  return { authenticate: asked && intent.threeds !== 'none', response, testCard };
};
