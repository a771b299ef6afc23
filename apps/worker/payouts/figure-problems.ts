import { DAY_MS, type Instant, msOf } from '#kernel';
import { type AnnouncedPayout, announcedLines, type PayoutAspect, vatMinor } from '#payout';

/**
 * A payout normally arrives on the second bank day after its date
 * (docs/provider/payments-completion.md#states). Even over a weekend with adjacent holidays, a
 * payout arrives within this number of days.
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

/**
 * The recorded mismatches as breaks: two reads of the payout contradict each other, or its lines do
 * not add up to its totals.
 */
const contradictions = ({ mismatches }: AnnouncedPayout): readonly FigureProblem[] =>
  mismatches.map(({ aspect, expected, observed }) => ({
    kind: KIND_OF[aspect],
    about: `${aspect} ${observed}`,
    expected: `${aspect} ${expected}`,
    // If the account differs, the observed account's id is not shown, because that account may
    // belong to another platform.
    observed: `${aspect} ${aspect === 'account' ? 'another one' : observed}`,
  }));

/** Checks the payout's totals; VAT is computed on the fees of the whole payout. */
const sumProblems = ({ terms }: AnnouncedPayout): readonly FigureProblem[] => {
  const { payment, refund, dispute } = announcedLines(terms);
  const lineFees = payment.feesMinor + refund.feesMinor + dispute.feesMinor;
  const vat = vatMinor(lineFees);
  const amount = payment.amountMinor - refund.amountMinor - dispute.amountMinor - lineFees - vat;
  const problem = (
    kind: 'amount' | 'fee',
    expected: number,
    observed: number,
    about: string | null = null,
  ): FigureProblem[] =>
    expected === observed
      ? []
      : [{ kind, about, expected: String(expected), observed: String(observed) }];
  const feesWithVat = problem('fee', lineFees + vat, terms.feesMinor + terms.feesVatMinor);
  // The ledger books the fees of the lines and the stated VAT, so a right sum is not sufficient.
  const fees = problem('fee', lineFees, terms.feesMinor, 'fees');
  return [
    ...(feesWithVat.length > 0 ? feesWithVat : fees),
    ...problem('amount', amount, terms.amountMinor),
  ];
};

const daysSince = ({ terms }: AnnouncedPayout, at: Instant): number =>
  (msOf(at) - Date.parse(`${terms.date}T00:00:00Z`)) / DAY_MS;

/**
 * Reports a payout whose lines were not all read within two days of its date; normally the read
 * takes minutes.
 */
const unreadProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.lines === null && daysSince(payout, at) >= 2
    ? [{ kind: 'missing', about: null, expected: 'lines', observed: 'lines cannot be read' }]
    : [];

/**
 * Reports a payout that has not arrived in time: then only the provider can say where the money is.
 */
const transferProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.status !== 'paid' && daysSince(payout, at) >= TRANSFER_DAYS + 1
    ? [{ kind: 'late', about: null, expected: 'paid in a week', observed: 'not paid' }]
    : [];

/**
 * All breaks about a payout as a whole; for a failed payout only the contradictions between its
 * reads.
 */
export const figureProblems = (payout: AnnouncedPayout, at: Instant): readonly FigureProblem[] =>
  payout.status === 'failed'
    ? contradictions(payout)
    : [
        ...sumProblems(payout),
        ...contradictions(payout),
        ...unreadProblems(payout, at),
        ...transferProblems(payout, at),
      ];
