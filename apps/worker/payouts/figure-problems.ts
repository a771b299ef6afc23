import { DAY_MS, type Instant, msOf } from '#kernel';
import { type AnnouncedPayout, announcedLines, type PayoutAspect, vatMinor } from '#payout';

/**
 * A payout normally arrives on the second bank day after its date
 * (docs/provider/payments-completion.md#states). A weekend with adjacent holidays delays the
 * arrival by less than this.
 */
export const TRANSFER_DAYS = 7;

/**
 * A reconciliation break about a payout as a whole, with the expected and the observed value as
 * text.
 */
export interface FigureProblem {
  readonly kind: 'amount' | 'fee' | 'missing' | 'unknown' | 'late';
  /**
   * Distinguishes breaks of one kind on one payout; null for a kind of which a payout has at most
   * one break.
   */
  readonly about: string | null;
  readonly expected: string;
  readonly observed: string;
}

const KIND_OF: Readonly<Record<PayoutAspect, FigureProblem['kind']>> = {
  amount: 'amount',
  totals: 'amount',
  lines: 'amount',
  fees: 'fee',
  fees_vat: 'fee',
  currency: 'unknown',
  account: 'unknown',
  reference: 'unknown',
  date: 'unknown',
  status: 'unknown',
};

/** Two reads of the payout contradict each other, or its lines do not add up to its totals. */
const contradictions = ({ mismatches }: AnnouncedPayout): readonly FigureProblem[] =>
  mismatches.map(({ aspect, expected, observed }) => ({
    kind: KIND_OF[aspect],
    about: `${aspect} ${observed}`,
    expected: `${aspect} ${expected}`,
    // The other account may belong to another platform: its id is not shown.
    observed: `${aspect} ${aspect === 'account' ? 'another one' : observed}`,
  }));

/** Checks the payout's totals; VAT is computed on the fees of the whole payout. */
const sumProblems = ({ terms }: AnnouncedPayout): readonly FigureProblem[] => {
  const { payment, refund, dispute } = announcedLines(terms);
  const lineFees = payment.feesMinor + refund.feesMinor + dispute.feesMinor;
  const vat = vatMinor(lineFees);
  const amount = payment.amountMinor - refund.amountMinor - dispute.amountMinor - lineFees - vat;
  const problem = (kind: 'amount' | 'fee', expected: number, observed: number): FigureProblem[] =>
    expected === observed
      ? []
      : [{ kind, about: null, expected: String(expected), observed: String(observed) }];
  return [
    ...problem('fee', lineFees + vat, terms.feesMinor + terms.feesVatMinor),
    ...problem('amount', amount, terms.amountMinor),
  ];
};

const daysSince = ({ terms }: AnnouncedPayout, at: Instant): number =>
  (msOf(at) - Date.parse(`${terms.date}T00:00:00Z`)) / DAY_MS;

/**
 * The lines of a payout take minutes to read: until all lines are read, a difference proves
 * nothing.
 */
const unreadProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.lines === null && daysSince(payout, at) >= 2
    ? [{ kind: 'missing', about: null, expected: 'lines', observed: 'lines cannot be read' }]
    : [];

/** Checks that the payout arrives in time. If not, only the provider can say where the money is. */
const transferProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.status !== 'paid' && daysSince(payout, at) >= TRANSFER_DAYS + 1
    ? [{ kind: 'late', about: null, expected: 'paid in a week', observed: 'not paid' }]
    : [];

/** The contradictions within a payout; for a failed payout only those between its reads. */
export const figureProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.status === 'failed'
    ? contradictions(payout)
    : [
        ...sumProblems(payout),
        ...contradictions(payout),
        ...unreadProblems(payout, at),
        ...transferProblems(payout, at),
      ];
