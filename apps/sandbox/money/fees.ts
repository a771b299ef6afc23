import { divideHalfEven } from './rounding.js';

/** The payment method. */
export type Method = 'card' | 'sepa';

/** The kinds of totals in a payout. */
export type TotalKind = 'payment' | 'refund' | 'dispute';

/** The kind of a payout line; a reversal returns the amount of a won dispute. */
export type LineKind = TotalKind | 'dispute_reversal';

/**
 * Whether the amounts of lines of this kind are added to the payout; the amounts of all other kinds
 * are deducted.
 */
export const isAdded = (kind: LineKind): boolean =>
  kind === 'payment' || kind === 'dispute_reversal';

/**
 * The fee of a card payment: 0.7 % and 7 minor units. See
 * docs/provider/payments-completion.md#states.
 */
const CARD_RATE_PER_MILLE = 7;
const CARD_FIXED_MINOR = 7;
const SEPA_FIXED_MINOR = 7;
const VAT_PERCENT = 20;

/** The fee of a dispute in minor units, in addition to the disputed amount. */
export const DISPUTE_FEE_MINOR = 1_500;

/**
 * The fee of a captured payment in minor units. The percentage and the fixed part are added before
 * rounding half to even: 0.5 + 7 is rounded to 8, whereas 0.5 rounded alone would be 0 and the fee
 * 7.
 */
export const paymentFee = (method: Method, amountMinor: number): number =>
  method === 'sepa'
    ? SEPA_FIXED_MINOR
    : divideHalfEven(amountMinor * CARD_RATE_PER_MILLE + CARD_FIXED_MINOR * 1_000, 1_000);

/** VAT of 20 % on the fees of a payout, rounded half to even on their sum, never per line. */
export const vatOn = (feesMinor: number): number => divideHalfEven(feesMinor * VAT_PERCENT, 100);
