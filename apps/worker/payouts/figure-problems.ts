import { DAY_MS, type Instant, msOf } from '#kernel';
import { type AnnouncedPayout, announcedLines, type PayoutAspect, vatMinor } from '#payout';

/** What is wrong with a payout as a whole, as a text of each side. */
export interface FigureProblem {
  readonly kind: 'amount' | 'fee' | 'missing' | 'unknown';
  /** Tells problems of one kind apart; null: there is one at most. */
  readonly about: string | null;
  readonly expected: string;
  readonly observed: string;
}

const KIND_OF: Readonly<Record<PayoutAspect, FigureProblem['kind']>> = {
  amount: 'amount', totals: 'amount', lines: 'amount', fees: 'fee', fees_vat: 'fee',
  currency: 'unknown', account: 'unknown', reference: 'unknown', date: 'unknown', status: 'unknown',
};

/** The provider has shown the payout in two ways, or with other lines than it counts. */
const contradictions = ({ mismatches }: AnnouncedPayout): readonly FigureProblem[] =>
  mismatches.map(({ aspect, expected, observed }) => ({
    kind: KIND_OF[aspect], about: `${aspect} ${observed}`, expected: `${aspect} ${expected}`,
    // Whose the other account is concerns nobody but its platform.
    observed: `${aspect} ${aspect === 'account' ? 'of somebody else' : observed}`,
  }));

/** Its own figures; VAT is on the fees of the whole, once. */
const sumProblems = ({ terms }: AnnouncedPayout): readonly FigureProblem[] => {
  const { payment, refund, dispute } = announcedLines(terms);
  const lineFees = payment.feesMinor + refund.feesMinor + dispute.feesMinor;
  const vat = vatMinor(lineFees);
  const amount =
    payment.amountMinor - refund.amountMinor - dispute.amountMinor - lineFees - vat;
  const told = (kind: 'amount' | 'fee', expected: number, observed: number): FigureProblem[] =>
    expected === observed
      ? []
      : [{ kind, about: null, expected: String(expected), observed: String(observed) }];
  return [
    ...told('fee', lineFees + vat, terms.feesMinor + terms.feesVatMinor),
    ...told('amount', amount, terms.amountMinor),
  ];
};

/** What a payout's lines explain nobody knows before they are read: that takes minutes. */
const unreadProblems = (
  { terms, lines }: AnnouncedPayout, at: Instant,
): readonly FigureProblem[] => {
  const isLate = msOf(at) - Date.parse(`${terms.date}T00:00:00Z`) >= 2 * DAY_MS;
  return lines === null && isLate
    ? [{ kind: 'missing', about: null, expected: 'its lines', observed: 'not to be read' }]
    : [];
};

/** What does not add up in a payout itself at a moment; of one that has failed its looks alone. */
export const figureProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.status === 'failed'
    ? contradictions(payout)
    : [...sumProblems(payout), ...contradictions(payout), ...unreadProblems(payout, at)];
