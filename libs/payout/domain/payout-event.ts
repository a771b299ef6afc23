import type { Currency, Instant } from '#kernel';

/** docs/provider/payments.md#payout-status. */
export type PayoutStatus = 'pending' | 'to_pay' | 'sent' | 'paid' | 'failed';

export type Method = 'card' | 'sepa';

/** What a line of a payout is about. */
export type LineKind = 'payment' | 'refund' | 'dispute';

/**
 * Lines together; amounts in minor units, without a sign but for disputes: those that were won are
 * taken off what the others took.
 */
export interface LineTotal {
  readonly count: number;
  readonly amountMinor: number;
  readonly feesMinor: number;
}

export interface MethodTotals {
  readonly card: LineTotal;
  readonly sepa: LineTotal;
}

/** A payout's lines as its own figures count them. */
export interface PayoutTotals {
  readonly payment: MethodTotals;
  readonly refund: MethodTotals;
  readonly dispute: MethodTotals;
}

/** A payout's lines as they were read, one by one. */
export interface LineSums {
  readonly payment: LineTotal;
  readonly refund: LineTotal;
  readonly dispute: LineTotal;
}

/** Whose payout it is: the account with whose key it was read. */
export interface PayoutAccount {
  /** `acc_…` */
  readonly accountId: string;
  readonly platformId: string;
  readonly merchantId: string;
  readonly mode: 'test' | 'live';
}

/** What a payout says of its money; fixed when it is made. */
export interface PayoutTerms extends PayoutAccount {
  /** What the credit transfer carries. */
  readonly reference: string;
  readonly currency: Currency;
  /** What the merchant receives: payments − refunds − disputes − fees − VAT. */
  readonly amountMinor: number;
  readonly feesMinor: number;
  readonly feesVatMinor: number;
  /** The day it was made, YYYY-MM-DD. */
  readonly date: string;
  readonly totals: PayoutTotals;
}

/** How a line can differ from our record; each differing line counts once under each. */
export type LineExceptionKind = 'unknown' | 'amount' | 'currency' | 'duplicate' | 'fee';

/** How many exceptions of each kind are open. */
export type ExceptionCounts = Readonly<Record<LineExceptionKind, number>>;

export type PayoutAspect =
  | 'account'
  | 'reference'
  | 'currency'
  | 'amount'
  | 'fees'
  | 'fees_vat'
  | 'date'
  | 'totals'
  | 'status'
  | 'lines';

export type PayoutEvent =
  | ({ readonly type: 'PayoutAnnounced'; readonly at: Instant } & PayoutTerms)
  | {
      readonly type: 'PayoutStatusChanged';
      readonly status: Exclude<PayoutStatus, 'pending'>;
      /** The day the merchant's bank had it, YYYY-MM-DD; null until it is told. */
      readonly bankDate: string | null;
      readonly at: Instant;
    }
  /** All lines are read, and stand in the table `payout_lines`. */
  | { readonly type: 'PayoutLinesRead'; readonly lines: LineSums; readonly at: Instant }
  /** All lines were compared with our record; told again when it comes out otherwise. */
  | {
      readonly type: 'PayoutReconciled';
      /** Lines that agree with our record in all. */
      readonly matched: number;
      readonly exceptions: ExceptionCounts;
      readonly at: Instant;
    }
  /** The provider shows what cannot follow from what it showed before: a person must look. */
  | {
      readonly type: 'PayoutMismatchObserved';
      readonly aspect: PayoutAspect;
      readonly expected: string;
      readonly observed: string;
      readonly at: Instant;
    };
