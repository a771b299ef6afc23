import { CARD_DISPUTE_CODES, SEPA_DISPUTE_CODES } from './dispute-codes.js';
import { plannedDispute } from './planned-dispute.js';
import { TEST_CARDS, TEST_IBANS } from './test-values.js';

test('all dispute codes of the specification exist: 10 for cards, 25 for direct debits', () => {
  expect(Object.keys(CARD_DISPUTE_CODES)).toHaveLength(10);
  expect(Object.keys(SEPA_DISPUTE_CODES)).toHaveLength(25);
});

test('exactly the dispute codes that the specification marks with (M) are masked', () => {
  const codes = Object.entries({ ...CARD_DISPUTE_CODES, ...SEPA_DISPUTE_CODES });
  const masked = codes.filter(([, code]) => code.masked).map(([code]) => code);
  expect(masked).toEqual(['1040', '4837', '4863']);
});

test('each dispute code that a test value of the specification names exists', () => {
  const cards = TEST_CARDS.map((card) => plannedDispute('card', card.scenario));
  expect(cards.filter((code) => code !== null)).toEqual(['45', '1261', '4837']);
  const accounts = TEST_IBANS.map((account) => plannedDispute('sepa', account.scenario));
  expect(accounts.filter((code) => code !== null)).toEqual(['AM04', 'AC04']);
  expect(plannedDispute('card', null)).toBeNull();
});
