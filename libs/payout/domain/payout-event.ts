import type { Currency, Dated, MinorUnits } from '#kernel';

/**
 * The status of the payout.
 * @see docs/provider/payments.md#payout-status
 */
export type PayoutStatus = 'pending' | 'to_pay' | 'sent' | 'paid' | 'failed';

export type Method = 'card' | 'sepa';

/** What a line of a payout is about. */
export type LineKind = 'payment' | 'refund' | 'dispute';

/** The kinds of lines that operators can accept; a reversed dispute counts apart. */
export type AcceptedLineKind = LineKind | 'dispute_reversal';

/** The sum of several lines of a payout. */
export interface LineTotal {
  /** The number of lines. */
  readonly count: number;
  /**
   * The sum of the unsigned amounts. The amounts of won disputes are subtracted from those of other
   * disputes, so the sum may be negative.
   */
  readonly amountMinor: MinorUnits;
  /** The sum of the provider's fees for the lines. */
  readonly feesMinor: MinorUnits;
}

/** The sums of each payment method. */
export interface MethodTotals {
  /** The lines of card payments. */
  readonly card: LineTotal;
  /** The lines of direct debits. */
  readonly sepa: LineTotal;
}

/** The totals that the payout itself states; its lines are read separately. */
export interface PayoutTotals {
  /** The captured payments. */
  readonly payment: MethodTotals;
  /** The refunds. */
  readonly refund: MethodTotals;
  /** The disputes and returned debits. */
  readonly dispute: MethodTotals;
}

/** The sums of the lines, computed from the lines. */
export interface LineSums {
  /** The captured payments. */
  readonly payment: LineTotal;
  /** The refunds. */
  readonly refund: LineTotal;
  /** The disputes and returned debits. */
  readonly dispute: LineTotal;
}

/** The account with whose key the payout was read. */
export interface PayoutAccount {
  /** The provider account that is paid out (`acc_…`). */
  readonly accountId: string;
  /** The platform of the merchant. */
  readonly platformId: string;
  /** The merchant that is paid. */
  readonly merchantId: string;
  /** The mode of the provider account: `live` moves real money. */
  readonly mode: 'test' | 'live';
}

/** What the payout states about its money; fixed when the payout is sent. */
export interface PayoutTerms extends PayoutAccount {
  /** The reference of the credit transfer on the merchant's bank statement. */
  readonly reference: string;
  readonly currency: Currency;
  /** The amount that the merchant receives: payments − refunds − disputes − fees − VAT. */
  readonly amountMinor: MinorUnits;
  /** The sum of the provider's fees. */
  readonly feesMinor: MinorUnits;
  /** The VAT on the fees. */
  readonly feesVatMinor: MinorUnits;
  /** The day on which the payout was made, e.g. `2026-03-01`. */
  readonly date: string;
  readonly totals: PayoutTotals;
}

/** The number of open reconciliation breaks of the payout's lines, for each kind. */
export interface ExceptionCounts {
  /** Lines whose payment, refund or dispute is not in our ledger. */
  readonly unknown: number;
  /** Lines whose amount differs from our ledger. */
  readonly amount: number;
  /** Lines whose currency differs from our ledger. */
  readonly currency: number;
  /** Lines that repeat another line. */
  readonly duplicate: number;
  /** Lines whose fee differs from the expected fee. */
  readonly fee: number;
}

/**
 * The kinds of differences between a line and our ledger; a line counts once for each kind that
 * applies.
 */
export type LineExceptionKind = keyof ExceptionCounts;

/** What the ledger books for a line that differs from the ledger. */
export interface LineCorrection {
  /** The kind of the payout line; `dispute_reversal`: the returned amount of a won dispute. */
  readonly lineKind: AcceptedLineKind;
  /** The provider’s id of the line, which is unique among the payout’s lines of this kind. */
  readonly objectId: string;
  /**
   * By how much the line increases the merchant’s balance more than the ledger contains, before
   * fees; negative if it decreases the balance, as another refund does. 0 if only the fee differs.
   */
  readonly amountMinor: MinorUnits;
  /** What the provider deducted more than the ledger contains; negative if it deducted less. */
  readonly feesMinor: MinorUnits;
}

/** The part of the payout that differs. */
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

export type PayoutEvent = Dated<
  /**
   * The provider shows a new payout, or another amount of a payout that was not sent yet. In the
   * second case the event replaces the earlier figures, and the lines are read again.
   */
  | ({ readonly type: 'PayoutAnnounced' } & PayoutTerms)
  /** The status of the payout changed; a new payout is `pending`. */
  | {
      readonly type: 'PayoutStatusChanged';
      readonly status: Exclude<PayoutStatus, 'pending'>;
      /**
       * The day on which the merchant's bank received the payout, e.g. `2026-03-02`; null if
       * unknown.
       */
      readonly bankDate: string | null;
    }
  /**
   * All lines of the payout were read; `/v1/payouts/{id}/lines` returns them. Published again when
   * the provider shows other lines; they are then compared with our ledger again.
   */
  | { readonly type: 'PayoutLinesRead'; readonly lines: LineSums }
  /** All lines were compared with our ledger; published again when the result changes. */
  | {
      readonly type: 'PayoutReconciled';
      /** The number of lines that match our ledger. */
      readonly matched: number;
      readonly exceptions: ExceptionCounts;
    }
  /**
   * Operators accepted a line that differs from the ledger: the ledger books the difference. When the
   * payout fails, the opposite is published, because its lines become part of another payout. The VAT
   * needs no correction: the ledger books the VAT that the payout states.
   */
  | ({ readonly type: 'PayoutLineCorrected' } & LineCorrection)
  /**
   * The provider shows something that contradicts earlier facts: an operator must review the
   * contradiction.
   */
  | {
      readonly type: 'PayoutMismatchObserved';
      readonly aspect: PayoutAspect;
      /** The value in our records, as text. */
      readonly expected: string;
      /** The value at the provider, as text. */
      readonly observed: string;
    }
>;
