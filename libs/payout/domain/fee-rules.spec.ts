import fc from 'fast-check';
import { MAX_AMOUNT_MINOR } from '#kernel';
import { paymentFeeMinor, vatMinor } from './fee-rules.js';

/**
 * docs/provider/payments-completion.md#states: a card payment costs 0.7 % plus 7 minor units, a
 * direct debit 7 minor units; VAT is 20 %; amounts are rounded half to even.
 */
test.each([
  [1, 7],
  [71, 7],
  [72, 8],
  [500, 10],
  [1_000, 14],
  [1_500, 18],
  [2_500, 24],
  [1_999, 21],
  [MAX_AMOUNT_MINOR, 30_064_778],
])('the fee for a card payment of %i minor units is %i', (amountMinor, feeMinor) =>
  expect(paymentFeeMinor('card', amountMinor)).toBe(feeMinor),
);

test('the fee for a direct debit of any amount is 7 minor units', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_AMOUNT_MINOR }), (amountMinor) => {
      expect(paymentFeeMinor('sepa', amountMinor)).toBe(7);
    }),
  );
});

test.each([
  [0, 0],
  [2, 0],
  [3, 1],
  [7, 1],
  [12, 2],
  [13, 3],
  [28, 6],
  [1_507, 301],
])('the VAT on fees of %i minor units is %i', (feesMinor, vat) =>
  expect(vatMinor(feesMinor)).toBe(vat),
);

test('the fee differs from the exact percentage by at most half a minor unit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_AMOUNT_MINOR }), (amountMinor) => {
      const off = Math.abs(
        paymentFeeMinor('card', amountMinor) * 1_000 - (7 * amountMinor + 7_000),
      );
      expect(off).toBeLessThanOrEqual(500);
    }),
  );
});
