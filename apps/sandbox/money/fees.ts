import { divideHalfEven } from './rounding.js';

/** How a payer pays. */
export type Method = 'card' | 'sepa';

/** What a payout tells the sums of. */
export type TotalKind = 'payment' | 'refund' | 'dispute';

/** What a payout's line is about; a reversal gives a dispute's amount back, as it was won. */
export type LineKind = TotalKind | 'dispute_reversal';

/** Whether such a line is added; all others are taken off. */
export const isAdded = (kind: LineKind): boolean =>
  kind === 'payment' || kind === 'dispute_reversal';

/** docs/provider/payments-completion.md#states: card 0.7 % and 7 minor units. */
const CARD_RATE_PER_MILLE = 7;
const CARD_FIXED_MINOR = 7;
const SEPA_FIXED_MINOR = 7;
const VAT_PERCENT = 20;

/** What a dispute costs, in minor units; its amount is taken back besides. */
export const DISPUTE_FEE_MINOR = 1_500;

/**
 * A captured payment's fee in minor units. The whole fee is rounded, half to even, and not its rate
 * alone: 7.5 is 8, though 0.5 is 0.
 */
export const paymentFee = (method: Method, amountMinor: number): number =>
  method === 'sepa'
    ? SEPA_FIXED_MINOR
    : divideHalfEven(amountMinor * CARD_RATE_PER_MILLE + CARD_FIXED_MINOR * 1_000, 1_000);

/** VAT of 20 % on the fees of a whole payout, rounded half to even: never of one line. */
export const vatOn = (feesMinor: number): number => divideHalfEven(feesMinor * VAT_PERCENT, 100);
