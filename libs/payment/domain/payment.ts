import type { Instant } from '#kernel';
import type { Capture } from './capture.js';
import type { CancelReason, PaymentTerms, ProviderCall } from './payment-event.js';
import type { Dispute, Refund } from './refunds-and-disputes.js';

interface Requested {
  readonly terms: PaymentTerms;
  /** The provider requests whose result is unknown until a read resolves it. */
  readonly unknown: readonly ProviderCall[];
  /**
   * The cancellation of the intent that is requested and has not ended yet; null if there is none.
   */
  readonly cancel: CancelReason | null;
  /** Each recorded mismatch, as `aspect:expected:observed`. */
  readonly mismatches: readonly string[];
  /** How many mismatches, counted from the oldest, were reviewed; absent if none. */
  readonly reviewedMismatches?: number;
}

/** The fields of a payment whose intent exists at the provider. */
export interface ExistingPayment extends Requested {
  readonly intentId: string;
  readonly pageUrl: string;
  readonly refusedAttempts: readonly string[];
  readonly pageCompleted: boolean;
  /**
   * Whether the debit of the order's mandate was requested or rejected. Null if the order has no
   * mandate: the payer pays on the payment page.
   */
  readonly debit: 'requested' | 'rejected' | null;
  /** The captures, oldest first; at most one of them is `requested`. */
  readonly captures: readonly Capture[];
  /**
   * The authorized amount that was released without being captured, in minor units; null until no
   * further capture is possible.
   */
  readonly releasedMinor: number | null;
  /** The refunds, oldest first; at most one of them is `requested`. */
  readonly refunds: readonly Refund[];
  /**
   * The refund requests that must be repeated or abandoned, because the provider rejected the
   * request or the refund failed: the payer has not received the money. Oldest first.
   */
  readonly rejectedRefunds: readonly string[];
  /**
   * The refund requests that failed before or during a dispute of the payment. If the merchant wins
   * every dispute, these refunds are owed again, because the payer has then received neither the
   * refund nor the disputed amount. Absent: none.
   */
  readonly owedUnlessDisputed?: readonly string[];
  readonly disputes: readonly Dispute[];
}

/** One provider intent with its attempts. Statuses follow the provider's names for an intent. */
export type Payment =
  | { readonly status: 'none' }
  | ({ readonly status: 'requested' } & Requested)
  | {
      readonly status: 'rejected';
      readonly terms: PaymentTerms;
      readonly reason: string;
      readonly mismatches: readonly string[];
      readonly reviewedMismatches?: number;
    }
  | ({ readonly status: 'open' } & ExistingPayment)
  | ({ readonly status: 'processing'; readonly attemptId: string } & ExistingPayment)
  | ({
      readonly status: 'authorized';
      readonly attemptId: string;
      /** When a read first showed the authorization. */
      readonly authorizedAt: Instant;
      readonly expiresAt: Instant;
      readonly warned: boolean;
    } & ExistingPayment)
  | ({ readonly status: 'to_capture' } & ExistingPayment)
  | ({ readonly status: 'capture_sent'; readonly method: 'card' | 'sepa' } & ExistingPayment)
  /** `capturedAt` is the time at which the capture was observed. */
  | ({
      readonly status: 'captured';
      readonly method: 'card' | 'sepa';
      readonly capturedAt: Instant;
    } & ExistingPayment)
  | ({ readonly status: 'canceled' | 'expired' | 'returned' } & ExistingPayment);

export type KnownPayment = Exclude<Payment, { status: 'none' }>;

export type PaymentStatus = KnownPayment['status'];

/** The statuses of a payment whose intent exists. */
export type IntentPhase = Exclude<PaymentStatus, 'requested' | 'rejected'>;

export type Existing = Extract<Payment, { readonly intentId: string }>;

export const exists = (payment: Payment): payment is Existing => 'intentId' in payment;

/**
 * Whether the payment has ended without collecting money: such a payment is not read any more, and
 * nothing more is requested for it.
 */
export const isOver = (payment: Payment): boolean =>
  payment.status === 'canceled' ||
  payment.status === 'expired' ||
  payment.status === 'returned' ||
  payment.status === 'rejected';

/** Whether the payment page accepts no further attempt: the payment is captured or has ended. */
export const isSettled = (payment: Payment): boolean =>
  payment.status === 'captured' || isOver(payment);
