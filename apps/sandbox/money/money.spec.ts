import fc from 'fast-check';
import { MAX_AMOUNT_MINOR, parseInstant } from '#kernel';
import { bankDaysAfter, isBankDay, nextCutOff, nextMorning } from './bank-days.js';
import { DISPUTE_FEE_MINOR, paymentFee, vatOn } from './fees.js';
import { type LineSum, payoutFigures } from './payout-figures.js';
import { divideHalfEven } from './rounding.js';

const amount = fc.integer({ min: 1, max: MAX_AMOUNT_MINOR });

describe('the provider’s fees', () => {
  test.each([
    [1, 7],
    [71, 7],
    [72, 8],
    [100, 8],
    [1_000, 14],
    [12_345, 93],
    [MAX_AMOUNT_MINOR, 30_064_778],
    // Before rounding, the fees of the following three amounts are 10.5, 17.5 and 24.5.
    [500, 10],
    [1_500, 18],
    [2_500, 24],
  ])('for a card payment of %i are 0.7 %% plus 7, rounded half to even: %i', (amountMinor, fee) => {
    expect(paymentFee('card', amountMinor)).toBe(fee);
  });

  test('for a direct debit are 7 for any amount', () => {
    expect([1, MAX_AMOUNT_MINOR].map((minor) => paymentFee('sepa', minor))).toEqual([7, 7]);
    expect(DISPUTE_FEE_MINOR).toBe(1_500);
  });

  test.each([
    [0, 0],
    [2, 0],
    [3, 1],
    [10, 2],
    [13, 3],
  ])('of %i in total are subject to VAT of %i', (fees, vat) => {
    expect(vatOn(fees)).toBe(vat);
  });

  test('are rounded by at most half a minor unit, and halves to even', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 1, max: 1e4 }), (n, d) => {
        const off = 2 * (divideHalfEven(n, d) * d - n);
        expect(Math.abs(off)).toBeLessThanOrEqual(d);
        if (Math.abs(off) === d) expect(divideHalfEven(n, d) % 2).toBe(0);
      }),
    );
  });
});

describe('a payout', () => {
  const line = fc.record<LineSum>({
    kind: fc.constantFrom('payment', 'refund', 'dispute'),
    method: fc.constantFrom('card', 'sepa'),
    amount,
    count: fc.integer({ min: 1, max: 100 }),
    fees: fc.integer({ min: 0, max: 10_000 }),
  });

  test('equals payments less refunds, disputes, fees and the VAT on the sum of fees', () => {
    const lines: LineSum[] = [
      { kind: 'payment', method: 'card', amount: 10_000, count: 1, fees: 77 },
      { kind: 'payment', method: 'sepa', amount: 5_000, count: 1, fees: 7 },
      { kind: 'refund', method: 'card', amount: 1_000, count: 1, fees: 0 },
      { kind: 'dispute', method: 'sepa', amount: 5_000, count: 1, fees: 1_500 },
    ];
    const nothing = { amount: 0, count: 0, fees: 0 };
    expect(payoutFigures(lines)).toEqual({
      amount: 15_000 - 1_000 - 5_000 - 1_584 - 317,
      fees: 1_584,
      fees_vat: 317,
      totals: {
        payment: {
          card: { amount: 10_000, count: 1, fees: 77 },
          sepa: { amount: 5_000, count: 1, fees: 7 },
        },
        refund: { card: { amount: 1_000, count: 1, fees: 0 }, sepa: nothing },
        dispute: { card: nothing, sepa: { amount: 5_000, count: 1, fees: 1_500 } },
      },
    });
  });

  test('has totals that add up to the payout’s amount and count every line once', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const { amount: paid, fees, fees_vat: vat, totals } = payoutFigures(lines);
        const cells = Object.values(totals).flatMap(({ card, sepa }) => [card, sepa]);
        const counted = lines.reduce((sum, { count }) => sum + count, 0);
        expect(cells.reduce((sum, cell) => sum + cell.count, 0)).toBe(counted);
        expect(cells.reduce((sum, cell) => sum + cell.fees, 0)).toBe(fees);
        const signed = lines.map((each) => (each.kind === 'payment' ? 1 : -1) * each.amount);
        expect(paid + fees + vat).toBe(signed.reduce((sum, minor) => sum + minor, 0));
      }),
    );
  });
});

describe('the clearing calendar', () => {
  test.each([
    ['2026-03-06T21:59:59.999Z', '2026-03-06T22:00:00.000Z', '2026-03-07T06:00:00.000Z'],
    ['2026-03-06T22:00:00.000Z', '2026-03-07T22:00:00.000Z', '2026-03-07T06:00:00.000Z'],
    ['2026-03-07T06:00:00.000Z', '2026-03-07T22:00:00.000Z', '2026-03-08T06:00:00.000Z'],
  ])(
    'has, after %s, the next cut-off at %s and the next settlement at %s, on weekends too',
    (at, cutOff, morning) => {
      expect([nextCutOff(parseInstant(at)), nextMorning(parseInstant(at))]).toEqual([
        cutOff,
        morning,
      ]);
    },
  );

  test.each([
    ['Friday', '2026-03-06T22:00:00.000Z', 1, '2026-03-09T06:00:00.000Z'],
    ['Friday', '2026-03-06T05:00:00.000Z', 2, '2026-03-10T06:00:00.000Z'],
    ['Saturday', '2026-03-07T06:00:00.000Z', 1, '2026-03-09T06:00:00.000Z'],
    ['Monday', '2026-03-09T06:00:00.000Z', 2, '2026-03-11T06:00:00.000Z'],
  ])('has, from %s %s, the settlement %i bank days later at %s', (_day, at, count, then) => {
    expect(bankDaysAfter(parseInstant(at), count)).toBe(then);
    expect(isBankDay(parseInstant(then))).toBe(true);
  });
});
