import type { ExceptionCounts, LineSums, PayoutStatus, PayoutTerms } from './payout-event.js';

/** What came of comparing its lines with our record. */
export interface Reconciliation {
  readonly matched: number;
  readonly exceptions: ExceptionCounts;
}

interface KnownPayout {
  readonly terms: PayoutTerms;
  /** Null until all its lines have been read. */
  readonly lines: LineSums | null;
  readonly reconciliation: Reconciliation | null;
  /** `aspect:expected:observed` of each contradiction told already. */
  readonly mismatches: readonly string[];
}

/** One credit transfer of the provider to the merchant's bank. Its id is the provider's. */
export type Payout =
  | { readonly status: 'none' }
  | ({ readonly status: Exclude<PayoutStatus, 'paid'> } & KnownPayout)
  | ({ readonly status: 'paid'; readonly dateBank: string | null } & KnownPayout);

export type AnnouncedPayout = Exclude<Payout, { status: 'none' }>;

/** Nothing more comes of it: the money is there, or its lines have gone on to the next payout. */
export const isOver = ({ status }: Payout): boolean => status === 'paid' || status === 'failed';
