import type { Instant } from '#kernel';
import type { LineSums, PayoutAccount, PayoutTotals } from './payout-event.js';
import type { Reconciliation } from './payout.js';

/** A payout as one read of it shows it. */
export interface ObservedPayout {
  /** In our words; any other one is pending, never a failure. */
  readonly status: string;
  readonly reference: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly feesMinor: number;
  readonly feesVatMinor: number;
  readonly date: string;
  readonly dateBank: string | null;
  readonly totals: PayoutTotals;
}

export type PayoutCommand =
  /** The one door for what the provider shows of a payout. */
  | {
      readonly type: 'ObservePayout';
      /** Whose key has read it. */
      readonly account: PayoutAccount;
      readonly observation: ObservedPayout;
      readonly at: Instant;
    }
  | { readonly type: 'NoteLines'; readonly lines: LineSums; readonly at: Instant }
  | ({ readonly type: 'NoteReconciliation'; readonly at: Instant } & Reconciliation);
