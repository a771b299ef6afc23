import type { Instant } from '#kernel';
import type { Capture } from './capture.js';
import type { CancelReason, PaymentTerms, ProviderCall } from './payment-event.js';
import type { Dispute, Refund } from './refunds-and-disputes.js';

interface Requested {
  readonly terms: PaymentTerms;
  /** The provider requests whose result is unknown until a read resolves it. */
  readonly unknown: readonly ProviderCall[];
  /** The cancellation that is requested and not finished yet; null if there is none. */
  readonly cancel: CancelReason | null;
  /** `aspect:expected:observed` of each mismatch that is recorded. */
  readonly mismatches: readonly string[];
}

/** The fields of a payment whose intent exists at the provider. */
export interface ExistingPayment extends Requested {
  readonly intentId: string;
  readonly pageUrl: string;
  readonly refusedAttempts: readonly string[];
  readonly pageCompleted: boolean;
  /**
   * Whether the debit of the order's mandate was requested or rejected; null if neither: the payer
   * pays on the payment page.
   */
  readonly debit: 'requested' | 'rejected' | null;
  /** The captures, oldest first; at most one of them is `requested`. */
  readonly captures: readonly Capture[];
  /**
   * The authorized amount that was never captured, recorded when nothing more can be captured; null
   * before.
   */
  readonly releasedMinor: number | null;
  /** The refunds, oldest first; at most one of them is `requested`. */
  readonly refunds: readonly Refund[];
  /**
   * The requests whose refund was rejected or failed and that have been neither repeated nor
   * abandoned: the payer still lacks the money. Oldest first.
   */
  readonly rejectedRefunds: readonly string[];
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
    }
  | ({ readonly status: 'open' } & ExistingPayment)
  | ({ readonly status: 'processing'; readonly attemptId: string } & ExistingPayment)
  | ({
      readonly status: 'authorized';
      readonly attemptId: string;
      /** When the provider first showed the authorization to us. */
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

/** Whether the payment has ended without money: no read, request or deadline follows. */
export const isOver = (payment: Payment): boolean =>
  payment.status === 'canceled' ||
  payment.status === 'expired' ||
  payment.status === 'returned' ||
  payment.status === 'rejected';

/** Whether the payment page accepts no further attempt: the payment is captured or has ended. */
export const isSettled = (payment: Payment): boolean =>
  payment.status === 'captured' || isOver(payment);
