import { type LineKind, type Method, type TotalKind, vatOn } from './fees.js';

/**
 * Unsigned amounts in minor units. For disputes: the amount charged back less the amount returned;
 * the difference may be negative.
 */
export interface MethodTotal {
  readonly amount: number;
  readonly count: number;
  readonly fees: number;
}

export type PayoutTotals = Readonly<Record<TotalKind, Readonly<Record<Method, MethodTotal>>>>;

/** The sum of the lines with one kind and payment method. */
export interface LineSum extends MethodTotal {
  readonly kind: LineKind;
  readonly method: Method;
}

/** The amounts of a payout, in minor units. */
export interface PayoutFigures {
  /** Payments less refunds, disputes, fees and VAT: what the merchant receives. */
  readonly amount: number;
  readonly fees: number;
  readonly fees_vat: number;
  readonly totals: PayoutTotals;
}

const totalOf = (sums: readonly LineSum[]): MethodTotal => {
  let [amount, count, fees] = [0, 0, 0];
  for (const sum of sums) {
    [amount, count, fees] = [amount + sum.amount, count + sum.count, fees + sum.fees];
  }
  return { amount, count, fees };
};

/** The total that includes a line of this kind. */
const totalKindOf = (kind: LineKind): TotalKind => (kind === 'dispute_reversal' ? 'dispute' : kind);

const signed = (sum: LineSum): LineSum =>
  sum.kind === 'dispute_reversal' ? { ...sum, amount: 0 - sum.amount } : sum;

const byMethod = (sums: readonly LineSum[], kind: TotalKind): PayoutTotals[TotalKind] => {
  const ofKind = sums.filter((sum) => totalKindOf(sum.kind) === kind).map(signed);
  return {
    card: totalOf(ofKind.filter((sum) => sum.method === 'card')),
    sepa: totalOf(ofKind.filter((sum) => sum.method === 'sepa')),
  };
};

/** The sum of the lines of one kind over all payment methods. */
export const sumOf = ({ card, sepa }: PayoutTotals[TotalKind]): number => card.amount + sepa.amount;

/**
 * Computes the amounts of a payout from its lines. The returned amount of a won dispute reduces the
 * total of disputes. If the amount to pay out is not positive, no payout is made, and the lines are
 * carried over to the next payout. See docs/provider/payments-completion.md#states.
 */
export const payoutFigures = (sums: readonly LineSum[]): PayoutFigures => {
  const totals = {
    payment: byMethod(sums, 'payment'),
    refund: byMethod(sums, 'refund'),
    dispute: byMethod(sums, 'dispute'),
  };
  const { fees } = totalOf(sums);
  const vat = vatOn(fees);
  const gross = sumOf(totals.payment) - sumOf(totals.refund) - sumOf(totals.dispute);
  return { amount: gross - fees - vat, fees, fees_vat: vat, totals };
};
