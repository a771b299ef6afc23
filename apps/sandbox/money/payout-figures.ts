import { type LineKind, type Method, vatOn } from './fees.js';

/** Amounts in minor units, without a sign. */
export interface MethodTotal {
  readonly amount: number;
  readonly count: number;
  readonly fees: number;
}

export type PayoutTotals = Readonly<Record<LineKind, Readonly<Record<Method, MethodTotal>>>>;

/** What a payout needs to know of a line. */
export interface Line {
  readonly kind: LineKind;
  readonly method: Method;
  readonly amount: number;
  readonly fee: number;
}

/** What a payout says of its money, in minor units. */
export interface PayoutFigures {
  /** Payments less refunds, disputes, fees and VAT: what the merchant receives. */
  readonly amount: number;
  readonly fees: number;
  readonly fees_vat: number;
  readonly totals: PayoutTotals;
}

const totalOf = (lines: readonly Line[]): MethodTotal => {
  let [amount, fees] = [0, 0];
  for (const line of lines) [amount, fees] = [amount + line.amount, fees + line.fee];
  return { amount, count: lines.length, fees };
};

const byMethod = (lines: readonly Line[], kind: LineKind): Readonly<Record<Method, MethodTotal>> => {
  const ofKind = lines.filter((line) => line.kind === kind);
  return {
    card: totalOf(ofKind.filter((line) => line.method === 'card')),
    sepa: totalOf(ofKind.filter((line) => line.method === 'sepa')),
  };
};

/** All methods of one kind together. */
export const sumOf = ({ card, sepa }: PayoutTotals[LineKind]): number => card.amount + sepa.amount;

/**
 * The figures of a payout with these lines. Completion, "States". An amount that is not positive is
 * not paid out: its lines are carried to the next.
 */
export const payoutFigures = (lines: readonly Line[]): PayoutFigures => {
  const totals = {
    payment: byMethod(lines, 'payment'),
    refund: byMethod(lines, 'refund'),
    dispute: byMethod(lines, 'dispute'),
  };
  const { fees } = totalOf(lines);
  const vat = vatOn(fees);
  const gross = sumOf(totals.payment) - sumOf(totals.refund) - sumOf(totals.dispute);
  return { amount: gross - fees - vat, fees, fees_vat: vat, totals };
};
