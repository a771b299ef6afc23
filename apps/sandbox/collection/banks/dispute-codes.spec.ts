import { CARD_DISPUTE_CODES, payerDispute, SEPA_DISPUTE_CODES } from './dispute-codes.js';
import { plannedDispute } from './planned-dispute.js';
import { TEST_CARDS, TEST_IBANS } from './test-values.js';

test('all dispute codes of the specification exist: 10 for cards, 25 for direct debits', () => {
  expect(Object.keys(CARD_DISPUTE_CODES)).toHaveLength(10);
  expect(Object.keys(SEPA_DISPUTE_CODES)).toHaveLength(25);
});

test('the payer sees the code 45 instead of an unknown code or a code that the specification marks with (M)', () => {
  const masked = Object.keys(CARD_DISPUTE_CODES).filter((code) => payerDispute(code).code !== code);
  expect(masked).toEqual(['1040', '4837', '4863']);
  expect(payerDispute('4837')).toEqual({ code: '45', meaning: 'Transaction disputed' });
  expect(payerDispute('??')).toEqual({ code: '45', meaning: 'Transaction disputed' });
  expect(payerDispute('1261')).toEqual({ code: '1261', meaning: 'Duplicate processing' });
  expect(payerDispute('AM04')).toEqual({ code: 'AM04', meaning: 'Insufficient funds' });
});

test('each dispute code that a test value of the specification names exists', () => {
  const cards = TEST_CARDS.map((card) => plannedDispute('card', card.scenario));
  expect(cards.filter((code) => code !== null)).toEqual(['45', '1261', '4837']);
  const accounts = TEST_IBANS.map((account) => plannedDispute('sepa', account.scenario));
  expect(accounts.filter((code) => code !== null)).toEqual(['AM04', 'AC04']);
  expect(plannedDispute('card', null)).toBeNull();
});
