import { CARD_DISPUTE_CODES, SEPA_DISPUTE_CODES } from '../../../collection/banks/dispute-codes.js';
import { RESPONSE_CODES } from '../../../collection/banks/response-codes.js';
import { disputeReason, FRENCH_DISPUTES, FRENCH_RESPONSES, responseReason } from './reasons.js';

test('every code of the specification has a French text', () => {
  expect(Object.keys(FRENCH_RESPONSES)).toEqual(Object.keys(RESPONSE_CODES));
  expect(Object.keys(FRENCH_DISPUTES).sort()).toEqual(
    Object.keys({ ...CARD_DISPUTE_CODES, ...SEPA_DISPUTE_CODES }).sort(),
  );
});

test('the reason of a response or dispute code is shown in the reader’s language', () => {
  expect([responseReason('51', 'en'), responseReason('51', 'fr')]).toEqual([
    'Insufficient funds',
    'Provision insuffisante',
  ]);
  // The code of a returned direct debit, which is a dispute code.
  expect([responseReason('AC04', 'en'), responseReason('AC04', 'fr')]).toEqual([
    'Closed account number',
    'Compte clos',
  ]);
  expect([disputeReason('45', 'en'), disputeReason('45', 'fr')]).toEqual([
    'Transaction disputed',
    'Transaction contestée',
  ]);
  expect(responseReason('none', 'fr')).toBeUndefined();
});
