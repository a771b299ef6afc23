import type { Instant } from '#kernel';

/*
 * What a provider shows, in our words. An adapter is the one place that maps its provider's words to
 * these; the domain decides what follows from them. Amounts are minor units without a sign.
 */

/** A status that the adapter does not know: pending, never a failure. The provider's word follows. */
export type Unrecognized = `unrecognized ${string}`;

/**
 * How far a payment intent is. `open`: the payer may still act; `unpaid`: its authorization expired,
 * or its direct debit was returned, which the attempt's method tells.
 */
export type IntentStatus =
  | 'open'
  | 'processing'
  | 'authorized'
  | 'to_capture'
  | 'capture_sent'
  | 'captured'
  | 'canceled'
  | 'unpaid';

export type AttemptStatus =
  | 'processing'
  | 'authorized'
  | 'to_capture'
  | 'capture_sent'
  | 'captured'
  | 'disputed'
  | 'canceled'
  | 'expired'
  | 'refused'
  | 'failed';

export type RefundStatus = 'to_refund' | 'refund_sent' | 'refunded' | 'not_honored' | 'failed';

export type DisputeStatus =
  | 'open'
  | 'evidence_pending'
  | 'evidence_sent'
  | 'evidence_verification'
  | 'accepted'
  | 'won'
  | 'lost'
  | 'out_of_time'
  | 'not_contestable';

export type PayoutStatus = 'pending' | 'to_pay' | 'sent' | 'paid' | 'failed';

export type CaptureStatus = 'accepted' | 'sent' | 'captured';

/** One capture of an intent. */
export interface CaptureFacts {
  /** Our capture's id, as it carries it; null: it was made at the provider by others. */
  readonly reference: string | null;
  /** The provider's own id. */
  readonly captureId: string;
  readonly amountMinor: number;
  readonly status: CaptureStatus | Unrecognized;
}

/** A payment intent. */
export interface IntentFacts {
  readonly intentId: string;
  /** Our payment's id, as the intent carries it; null where it carries none. */
  readonly reference: string | null;
  readonly pageUrl: string;
  readonly status: IntentStatus | Unrecognized;
  readonly amountMinor: number;
  readonly currency: string;
  /**
   * All of them, oldest first, of a provider that captures in part: its intent is `authorized` while
   * more can be captured, and afterwards as far as the furthest of them. Not given of one that captures
   * the whole once: the intent's status tells.
   */
  readonly captures?: readonly CaptureFacts[];
}

/** An intent as one call shows it: nothing of its attempts, but whether there is one. */
export interface ShownIntent extends IntentFacts {
  readonly hasAttempt: boolean;
}

/** One try to pay an intent; `response` is the bank's code. */
export interface AttemptFacts {
  readonly attemptId: string;
  /** Null before the bank has answered. */
  readonly status: AttemptStatus | Unrecognized | null;
  readonly response: string | null;
  readonly method: 'card' | 'sepa' | null;
  /** The mandate of a direct debit. */
  readonly mandateId: string | null;
  readonly createdAt: Instant;
}

export interface RefundFacts {
  readonly refundId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: RefundStatus | Unrecognized;
  readonly createdAt: Instant;
}

export interface DisputeFacts {
  readonly disputeId: string;
  readonly kind: 'chargeback' | 'sepa_return';
  readonly amountMinor: number;
  readonly currency: string;
  readonly feeMinor: number;
  /** The reason's code. */
  readonly response: string;
  readonly status: DisputeStatus | Unrecognized;
  readonly createdAt: Instant;
}

/**
 * What one read of an intent shows: all its attempts, refunds and disputes, oldest first. Null what
 * was not read: the answer to a call shows the intent alone.
 */
export interface PaymentFacts {
  readonly intent: IntentFacts;
  readonly attempts: readonly AttemptFacts[] | null;
  readonly refunds: readonly RefundFacts[] | null;
  readonly disputes: readonly DisputeFacts[] | null;
}

/** The intent alone, as the answer to a call shows it. */
export const intentOnly = (intent: ShownIntent): PaymentFacts => ({
  intent,
  attempts: null,
  refunds: null,
  disputes: null,
});

/** How far an intent has come at least; null where a fact does not tell. */
export type ReachedStatus = 'capture_sent' | 'captured' | null;

/** An attempt as a list of the account or of a payout shows it, with what says whose it is. */
export interface ListedPayment extends AttemptFacts {
  /** Our payment's id, as it carries it. */
  readonly reference: string | null;
  readonly intentId: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  /** Null until it is known. */
  readonly feeMinor: number | null;
  /** Which capture of the intent it is about, of a provider that shows captures. */
  readonly capture?: CaptureFacts;
  readonly reached: ReachedStatus;
}

/** A refund of a list; `attemptId` says of which payment. */
export interface ListedRefund extends RefundFacts {
  readonly attemptId: string;
  readonly reached: ReachedStatus;
}

/** A dispute of a list; `attemptId` says of which payment. */
export interface ListedDispute extends DisputeFacts {
  readonly attemptId: string;
  /** A payout's line that gives back what a dispute took, as it was won. */
  readonly isReversal: boolean;
}

/** Lines of a payout together. */
interface TotalFacts {
  readonly count: number;
  /** Of disputes, those that were won are taken off: it may be negative. */
  readonly amountMinor: number;
  readonly feesMinor: number;
}

interface MethodTotalFacts {
  readonly card: TotalFacts;
  readonly sepa: TotalFacts;
}

/** A payout; days as `YYYY-MM-DD`. */
export interface PayoutFacts {
  readonly payoutId: string;
  readonly status: PayoutStatus | Unrecognized;
  /** What the credit transfer carries. */
  readonly reference: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly feesMinor: number;
  readonly feesVatMinor: number;
  readonly date: string;
  readonly dateBank: string | null;
  readonly totals: {
    readonly payment: MethodTotalFacts;
    readonly refund: MethodTotalFacts;
    readonly dispute: MethodTotalFacts;
  };
}
