import type { Instant } from '#kernel';

/**
 * What a provider shows, in our words. Only an adapter maps its provider's words to these, and the
 * domain decides what follows. Amounts are in minor units, without a sign.
 */

/**
 * `unrecognized` and the provider's word, for a status that the adapter does not know. It counts as
 * pending, never as a failure.
 */
export type Unrecognized = `unrecognized ${string}`;

/**
 * The status of a payment intent. `open`: the payer may still pay. `unpaid`: the authorization has
 * expired, or the direct debit was returned; the method of the attempt shows which of the two
 * happened.
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
  /**
   * The id of our capture, which was sent as the reference of the capture; null if the capture was
   * made directly at the provider.
   */
  readonly reference: string | null;
  /** The provider's own id of the capture. */
  readonly captureId: string;
  readonly amountMinor: number;
  readonly status: CaptureStatus | Unrecognized;
}

/** A payment intent. */
export interface IntentFacts {
  readonly intentId: string;
  /**
   * The id of our payment, which was sent as the reference of the intent; null if the intent has no
   * reference.
   */
  readonly reference: string | null;
  readonly pageUrl: string;
  readonly status: IntentStatus | Unrecognized;
  readonly amountMinor: number;
  readonly currency: string;
  /**
   * All captures, oldest first, if the provider supports partial captures. The intent is then
   * `authorized` while more can be captured, and afterwards has the status of its most advanced
   * capture. Absent if the provider captures only the whole amount, once, because the status of the
   * intent is then the status of the capture. Ignored for a direct debit, which is captured as a
   * whole.
   */
  readonly captures?: readonly CaptureFacts[];
}

/**
 * An intent in the response to one request. The response does not contain the attempts, and shows
 * only whether an attempt exists.
 */
export interface ShownIntent extends IntentFacts {
  readonly hasAttempt: boolean;
}

/** How the payer's 3-D Secure authentication ended. */
export type AuthenticationOutcome = 'succeeded' | 'declined' | 'failed' | 'expired' | 'unavailable';

/**
 * What the provider shows of the payer's card or bank account: never the number or the holder's
 * name. A field that the provider does not show is missing.
 */
export interface MethodDetails {
  readonly method: 'card' | 'sepa';
  /** The brand of a card, in lower case, e.g. `visa`. */
  readonly brand?: string;
  /** The last four characters of the card number or IBAN. */
  readonly last4?: string;
  /** The country of the issuer, ISO 3166 alpha-2. */
  readonly country?: string;
  /** How 3-D Secure ended; missing if it was not used or has not ended. */
  readonly authentication?: AuthenticationOutcome;
}

/** One attempt to pay an intent; `response` is the bank's code. */
export interface AttemptFacts {
  readonly attemptId: string;
  /** The status of the attempt; null before the bank has responded. */
  readonly status: AttemptStatus | Unrecognized | null;
  readonly response: string | null;
  readonly method: 'card' | 'sepa' | null;
  /** Missing if the provider shows no details of the method. */
  readonly methodDetails?: MethodDetails;
  /** The id of a direct debit's mandate. */
  readonly mandateId: string | null;
  readonly createdAt: Instant;
  /**
   * When an authorization by this attempt expires if it is not captured; the provider may let the
   * authorization expire slightly later.
   */
  readonly authorizedUntil: Instant;
  /**
   * The amount of the attempt, which is lower than the intent's if the bank approves only a part.
   * Missing at a provider that does not show it, and in lists, whose amounts are reconciled.
   */
  readonly money?: { readonly amountMinor: number; readonly currency: string };
}

export interface RefundFacts {
  readonly refundId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: RefundStatus | Unrecognized;
  readonly createdAt: Instant;
}

/** A refund in the response to our request for it. */
export interface MadeRefundFacts extends RefundFacts {
  /** The attempt whose money is refunded; absent if the provider does not name it. */
  readonly attemptId?: string;
}

export interface DisputeFacts {
  readonly disputeId: string;
  readonly kind: 'chargeback' | 'sepa_return';
  readonly amountMinor: number;
  readonly currency: string;
  readonly feeMinor: number;
  /** The bank's code of the reason for the dispute. */
  readonly reasonCode: string;
  readonly status: DisputeStatus | Unrecognized;
  readonly createdAt: Instant;
}

/**
 * An intent as one read returns it, with all attempts, refunds and disputes, oldest first. A list
 * that was not read is null: the response to a capture request, for example, has only the intent.
 */
export interface PaymentFacts {
  readonly intent: IntentFacts;
  readonly attempts: readonly AttemptFacts[] | null;
  readonly refunds: readonly RefundFacts[] | null;
  readonly disputes: readonly DisputeFacts[] | null;
}

/** The facts in a response that shows only the intent. */
export const intentOnly = (intent: ShownIntent): PaymentFacts => ({
  intent,
  attempts: null,
  refunds: null,
  disputes: null,
});

/**
 * The earliest status that the payment must have reached because of this fact, in the sequence of
 * statuses; null if the fact proves no status.
 */
export type ReachedStatus = 'capture_sent' | 'captured' | null;

/**
 * An attempt in the provider's list of an account's payments or in the lines of a payout, with the
 * ids of its payment.
 */
export interface ListedPayment extends AttemptFacts {
  /** The id of our payment, which was sent as the reference of the intent. */
  readonly reference: string | null;
  readonly intentId: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  /** The provider's fee in minor units; null while unknown. */
  readonly feeMinor: number | null;
  /** The capture of a card payment, if the provider lists captures. */
  readonly capture?: CaptureFacts;
  readonly reached: ReachedStatus;
}

/** A refund in a list; `attemptId` identifies its payment. */
export interface ListedRefund extends RefundFacts {
  readonly attemptId: string;
  readonly reached: ReachedStatus;
}

/** A dispute in a list; `attemptId` identifies its payment. */
export interface ListedDispute extends DisputeFacts {
  readonly attemptId: string;
  /** Whether this line of a payout returns the amount of a won dispute. */
  readonly isReversal: boolean;
}

/** Sums over the lines of a payout. */
interface TotalFacts {
  readonly count: number;
  /** The sum of the amounts. Won disputes are subtracted from it, so it may be negative. */
  readonly amountMinor: number;
  readonly feesMinor: number;
}

/** A payout; its days are `YYYY-MM-DD`. */
export interface PayoutFacts {
  readonly payoutId: string;
  readonly status: PayoutStatus | Unrecognized;
  /** The reference of the payout's credit transfer. */
  readonly reference: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly feesMinor: number;
  readonly feesVatMinor: number;
  readonly date: string;
  readonly bankDate: string | null;
  readonly totals: Readonly<
    Record<'payment' | 'refund' | 'dispute', Readonly<Record<'card' | 'sepa', TotalFacts>>>
  >;
}
