import type {
  ExceptionCounts,
  LineSums,
  PayoutAspect,
  PayoutStatus,
  PayoutTerms,
} from './payout-event.js';

/** What came of comparing its lines with our record. */
export interface Reconciliation {
  readonly matched: number;
  readonly exceptions: ExceptionCounts;
}

/** What the provider has shown of a payout, against what it had shown before. */
export interface Mismatch {
  readonly aspect: PayoutAspect;
  readonly expected: string;
  readonly observed: string;
}

interface KnownPayout {
  readonly terms: PayoutTerms;
  /** Null until all its lines have been read. */
  readonly lines: LineSums | null;
  readonly reconciliation: Reconciliation | null;
  /** Told already. */
  readonly mismatches: readonly Mismatch[];
}

/** One credit transfer of the provider to the merchant's bank. Its id is the provider's. */
export type Payout =
  | { readonly status: 'none' }
  | ({ readonly status: Exclude<PayoutStatus, 'paid'> } & KnownPayout)
  | ({ readonly status: 'paid'; readonly dateBank: string | null } & KnownPayout);

export type AnnouncedPayout = Exclude<Payout, { status: 'none' }>;

/** Nothing more comes of it: the money is there, or its lines have gone on to the next payout. */
export const isOver = ({ status }: Payout): boolean => status === 'paid' || status === 'failed';
