import { assert } from '#kernel';
import type { Method } from './payout-event.js';

/** The provider's published prices. docs/provider/payments-completion.md#states. */
export const FEE_RULES = {
  card: { perMille: 7, fixedMinor: 7 },
  sepa: { perMille: 0, fixedMinor: 7 },
  disputeMinor: 1_500,
  vatPercent: 20,
} as const;

/** A quotient of whole numbers, rounded half to even, without floating point. */
const divideHalfEven = (dividend: number, divisor: number): number => {
  assert(Number.isSafeInteger(dividend) && dividend >= 0, 'a fee is counted in whole numbers');
  const rest = dividend % divisor;
  const floor = (dividend - rest) / divisor;
  if (2 * rest === divisor) return floor % 2 === 0 ? floor : floor + 1;
  return 2 * rest > divisor ? floor + 1 : floor;
};

/**
 * The fee for a captured payment in minor units. The percentage and the fixed part are added before
 * rounding.
 */
export const paymentFeeMinor = (method: Method, amountMinor: number): number => {
  const { perMille, fixedMinor } = FEE_RULES[method];
  return divideHalfEven(amountMinor * perMille + fixedMinor * 1_000, 1_000);
};

/** The VAT on the fees of a payout. It is computed on the sum of the fees, not on each line. */
export const vatMinor = (feesMinor: number): number =>
  divideHalfEven(feesMinor * FEE_RULES.vatPercent, 100);
