import type {
  ExceptionCounts,
  LineCorrection,
  LineSums,
  PayoutAspect,
  PayoutStatus,
  PayoutTerms,
} from './payout-event.js';

/** The result of the comparison of a payout's lines with our ledger. */
export interface Reconciliation {
  readonly matched: number;
  readonly exceptions: ExceptionCounts;
}

/** A contradiction between two reads of a payout. */
export interface Mismatch {
  readonly aspect: PayoutAspect;
  readonly expected: string;
  readonly observed: string;
}

interface KnownPayout {
  readonly terms: PayoutTerms;
  /** The sums of the payout's lines; null until all of them have been read. */
  readonly lines: LineSums | null;
  readonly reconciliation: Reconciliation | null;
  /** The sums of the differences that operators have accepted, one for each line. */
  readonly lineCorrections: readonly LineCorrection[];
  /** The recorded mismatches. */
  readonly mismatches: readonly Mismatch[];
}

/** A credit transfer from the provider to the merchant's bank account; its id is the provider's. */
export type Payout =
  | { readonly status: 'none' }
  | ({ readonly status: Exclude<PayoutStatus, 'paid'> } & KnownPayout)
  | ({ readonly status: 'paid'; readonly bankDate: string | null } & KnownPayout);

export type AnnouncedPayout = Exclude<Payout, { status: 'none' }>;
