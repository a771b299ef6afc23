import type { Instant } from '#kernel';
import type { Capture } from './capture.js';
import type { CancelReason, PaymentTerms, ProviderCall } from './payment-event.js';
import type { Dispute, Refund } from './refunds-and-disputes.js';

interface Requested {
  readonly terms: PaymentTerms;
  /** Calls whose result is unknown until a read resolves it. */
  readonly unknown: readonly ProviderCall[];
  /** Requested and not finished yet. */
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
  /** Whether the mandate of the terms is to be debited, or cannot be; null: the payer pays. */
  readonly debit: 'requested' | 'rejected' | null;
  /** Oldest first; at most one of them is `requested`. */
  readonly captures: readonly Capture[];
  /** Authorized and never captured, once nothing more can be captured; null before. */
  readonly releasedMinor: number | null;
  /** Oldest first; at most one of them is `requested`. */
  readonly refunds: readonly Refund[];
  /**
   * Requests whose refund was rejected or failed, until it is requested again or abandoned: the
   * payer still lacks the money. Oldest first.
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
      readonly expiresAt: Instant;
      readonly warned: boolean;
    } & ExistingPayment)
  | ({ readonly status: 'to_capture' } & ExistingPayment)
  | ({ readonly status: 'capture_sent'; readonly method: 'card' | 'sepa' } & ExistingPayment)
  /** `capturedAt`: when it was observed. */
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

/** Ended without money: no read, call or deadline follows. */
export const isOver = (payment: Payment): boolean =>
  payment.status === 'canceled' ||
  payment.status === 'expired' ||
  payment.status === 'returned' ||
  payment.status === 'rejected';

/** The page accepts no further attempt: the payment is captured or has ended. */
export const isSettled = (payment: Payment): boolean =>
  payment.status === 'captured' || isOver(payment);
