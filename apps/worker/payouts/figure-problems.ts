import { DAY_MS, type Instant, msOf } from '#kernel';
import { type AnnouncedPayout, announcedLines, type PayoutAspect, vatMinor } from '#payout';

/**
 * docs/provider/payments-completion.md#states: it is paid on the second bank day after its own.
 * Weekends and holidays in a row are shorter than this.
 */
export const TRANSFER_DAYS = 7;

/** What is wrong with a payout as a whole, as a text of each side. */
export interface FigureProblem {
  readonly kind: 'amount' | 'fee' | 'missing' | 'unknown' | 'late';
  /** Tells problems of one kind apart; null: there is one at most. */
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

/** The provider has shown the payout in two ways, or with other lines than it counts. */
const contradictions = ({ mismatches }: AnnouncedPayout): readonly FigureProblem[] =>
  mismatches.map(({ aspect, expected, observed }) => ({
    kind: KIND_OF[aspect],
    about: `${aspect} ${observed}`,
    expected: `${aspect} ${expected}`,
    // Whose the other account is concerns nobody but its platform.
    observed: `${aspect} ${aspect === 'account' ? 'of somebody else' : observed}`,
  }));

/** Its own figures; VAT is on the fees of the whole, once. */
const sumProblems = ({ terms }: AnnouncedPayout): readonly FigureProblem[] => {
  const { payment, refund, dispute } = announcedLines(terms);
  const lineFees = payment.feesMinor + refund.feesMinor + dispute.feesMinor;
  const vat = vatMinor(lineFees);
  const amount = payment.amountMinor - refund.amountMinor - dispute.amountMinor - lineFees - vat;
  const told = (kind: 'amount' | 'fee', expected: number, observed: number): FigureProblem[] =>
    expected === observed
      ? []
      : [{ kind, about: null, expected: String(expected), observed: String(observed) }];
  return [
    ...told('fee', lineFees + vat, terms.feesMinor + terms.feesVatMinor),
    ...told('amount', amount, terms.amountMinor),
  ];
};

const daysSince = ({ terms }: AnnouncedPayout, at: Instant): number =>
  (msOf(at) - Date.parse(`${terms.date}T00:00:00Z`)) / DAY_MS;

/** What a payout's lines explain nobody knows before they are read: that takes minutes. */
const unreadProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.lines === null && daysSince(payout, at) >= 2
    ? [{ kind: 'missing', about: null, expected: 'its lines', observed: 'not to be read' }]
    : [];

/** Its money is with nobody who could be asked but the provider. */
const transferProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.status !== 'paid' && daysSince(payout, at) >= TRANSFER_DAYS + 1
    ? [{ kind: 'late', about: null, expected: 'paid in a week', observed: 'not paid' }]
    : [];

/** What does not add up in a payout itself at a moment; of one that has failed its looks alone. */
export const figureProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.status === 'failed'
    ? contradictions(payout)
    : [
        ...sumProblems(payout),
        ...contradictions(payout),
        ...unreadProblems(payout, at),
        ...transferProblems(payout, at),
      ];
