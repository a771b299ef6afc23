import type { Dated } from '#kernel';
import type { AcceptedLineKind, LineSums, PayoutAccount, PayoutTerms } from './payout-event.js';
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

/** The money of a line, in minor units. */
export interface LineMoney {
  /** The change of the merchant's balance before fees; negative for refunds and disputes. */
  readonly amountMinor: number;
  readonly feesMinor: number;
}

/** A line of a payout, with the money that the provider shows and that the ledger contains. */
export interface LineDifference {
  readonly lineKind: AcceptedLineKind;
  /** The provider's id of the line. */
  readonly objectId: string;
  /** What the ledger contains for the line, without its corrections. */
  readonly booked: LineMoney;
  /**
   * What the line shows: a line that occurs several times counts as often, and a line that the
   * provider has removed counts zero.
   */
  readonly shown: LineMoney;
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
  /** Accepts a line that differs from the ledger. */
  | ({ readonly type: 'AcceptLine' } & LineDifference)
>;
