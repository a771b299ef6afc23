import type { Instant } from '#kernel';
import type { LineSums, PayoutAccount, PayoutTerms } from './payout-event.js';
import type { Reconciliation } from './payout.js';

/** A payout as one read of it shows it. */
export interface ObservedPayout extends Omit<PayoutTerms, keyof PayoutAccount | 'currency'> {
  /** The provider's status in our terms; an unrecognised one is pending, never a failure. */
  readonly status: string;
  readonly currency: string;
  readonly bankDate: string | null;
}

export type PayoutCommand =
  /** All provider facts about a payout arrive by this command. */
  | {
      readonly type: 'ObservePayout';
      /** The account whose key read it. */
      readonly account: PayoutAccount;
      readonly observation: ObservedPayout;
      readonly at: Instant;
    }
  | { readonly type: 'NoteLines'; readonly lines: LineSums; readonly at: Instant }
  | ({ readonly type: 'NoteReconciliation'; readonly at: Instant } & Reconciliation);
