import type { Dated } from '#kernel';
import type { LineKind, LineSums, PayoutAccount, PayoutTerms } from './payout-event.js';
import type { Reconciliation } from './payout.js';

/** A payout as shown by one read. */
export interface ObservedPayout extends Omit<PayoutTerms, keyof PayoutAccount | 'currency'> {
  /**
   * The provider's status, mapped to our statuses; an unrecognised status counts as pending, never
   * as a failure.
   */
  readonly status: string;
  readonly currency: string;
  readonly bankDate: string | null;
}

export type PayoutCommand = Dated<
  /** Records a read of the provider. All provider facts about a payout arrive by this command. */
  | {
      readonly type: 'ObservePayout';
      /** The account whose key was used for the read. */
      readonly account: PayoutAccount;
      readonly observation: ObservedPayout;
    }
  | { readonly type: 'NoteLines'; readonly lines: LineSums }
  | ({ readonly type: 'NoteReconciliation' } & Reconciliation)
  /** Accepts the fee that the provider deducted for a line. */
  | {
      readonly type: 'AcceptFee';
      readonly lineKind: LineKind;
      /** The object of the line, as in the event's `FeeCorrection`. */
      readonly objectId: string;
      /** The fee in the ledger without corrections by this payout, in minor units. */
      readonly bookedMinor: number;
      /** The fee of the line, in minor units. */
      readonly chargedMinor: number;
    }
>;
