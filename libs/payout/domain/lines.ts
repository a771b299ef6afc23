import type {
  LineExceptionKind,
  LineKind,
  LineSums,
  LineTotal,
  Method,
  MethodTotals,
  PayoutTerms,
} from './payout-event.js';

export const LINE_KINDS: readonly LineKind[] = ['payment', 'refund', 'dispute'];

export const METHODS: readonly Method[] = ['card', 'sepa'];

export const LINE_EXCEPTION_KINDS: readonly LineExceptionKind[] = [
  'unknown',
  'amount',
  'currency',
  'duplicate',
  'fee',
];

export const NO_LINES: LineTotal = { count: 0, amountMinor: 0, feesMinor: 0 };

export const addTotals = (a: LineTotal, b: LineTotal): LineTotal => ({
  count: a.count + b.count,
  amountMinor: a.amountMinor + b.amountMinor,
  feesMinor: a.feesMinor + b.feesMinor,
});

const bothMethods = ({ card, sepa }: MethodTotals): LineTotal => addTotals(card, sepa);

/** The number of lines, and the sums of their amounts, that the payout states. */
export const announcedLines = ({ totals }: PayoutTerms): LineSums => ({
  payment: bothMethods(totals.payment),
  refund: bothMethods(totals.refund),
  dispute: bothMethods(totals.dispute),
});

const sameTotal = (a: LineTotal, b: LineTotal): boolean =>
  a.count === b.count && a.amountMinor === b.amountMinor && a.feesMinor === b.feesMinor;

export const sameLines = (a: LineSums, b: LineSums): boolean =>
  LINE_KINDS.every((kind) => sameTotal(a[kind], b[kind]));

export const linesText = (lines: LineSums): string =>
  LINE_KINDS.map((kind) => {
    const { count, amountMinor, feesMinor } = lines[kind];
    return `${kind} ${count} ${amountMinor} ${feesMinor}`;
  }).join(', ');
