import type { Instant } from '#kernel';
import { type TestCard, testCardOfScenario } from '../banks/test-values.js';
import { isExpired } from '../cards/card-input.js';
import type { CardRow } from '../cards/card-resource.js';
import type { IntentRow } from './intent-resource.js';

/** The behaviour of the card's bank for an attempt, determined before the attempt starts. */
export interface BankPlan {
  /** Whether the bank requires the payer to authenticate. */
  readonly authenticate: boolean;
  /** The bank's response code for the payment. */
  readonly response: string;
  readonly testCard: TestCard | undefined;
}

/** With a test key, the bank's response code for every card that is not a test card. */
export const APPROVED = '00';
export const INVALID_MERCHANT = '03';
export const INVALID_NUMBER = '14';
export const NO_ACQUIRER = '92';
const EXPIRED_CARD = '54';
export const AUTHENTICATION_REQUIRED = 'A1';

/**
 * How the card's bank treats an attempt (docs/provider/payments-completion.md#conventions). All
 * cards are refused if the merchant's account is closed. With a live key every card is refused: test
 * cards are invalid, and for real cards no acquirer is connected. With a test key, the bank of a card
 * that is not a test card approves after 3-D Secure, or without it when the merchant sends `threeds:
 * none`. A stored card that has expired meanwhile is refused, whatever its scenario.
 */
export const planOf = (
  intent: Pick<IntentRow, 'live' | 'threeds'>,
  card: Pick<CardRow, 'scenario' | 'exp_month' | 'exp_year'>,
  { now, closed }: { readonly now: Instant; readonly closed: boolean },
): BankPlan => {
  const testCard = card.scenario === null ? undefined : testCardOfScenario(card.scenario);
  const refused = (response: string): BankPlan => ({ authenticate: false, response, testCard });
  if (closed) return refused(INVALID_MERCHANT);
  if (intent.live) return refused(testCard === undefined ? NO_ACQUIRER : INVALID_NUMBER);
  if (isExpired(card.exp_month, card.exp_year, now)) return refused(EXPIRED_CARD);
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
