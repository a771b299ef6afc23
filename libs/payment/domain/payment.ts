import type { Instant } from '#kernel';
import type { Capture } from './capture.js';
import type { CancelReason, PaymentTerms, ProviderCall } from './payment-event.js';
import type { Dispute, Refund } from './refunds-and-disputes.js';

interface Requested {
  readonly terms: PaymentTerms;
  /** Calls whose outcome no read has settled yet. */
  readonly unknown: readonly ProviderCall[];
  /** Asked for and neither done nor overtaken yet. */
  readonly cancel: CancelReason | null;
  /** `aspect:expected:observed` of each contradiction told already. */
  readonly mismatches: readonly string[];
}

/** What a payment has once its intent exists at the provider. */
export interface ExistingPayment extends Requested {
  readonly intentId: string;
  readonly pageUrl: string;
  readonly refusedAttempts: readonly string[];
  readonly pageFinished: boolean;
  /** Whether the mandate of the terms is to be debited, or cannot be; null: the payer pays. */
  readonly debit: 'requested' | 'rejected' | null;
  /** Oldest first; at most one of them is `requested`. */
  readonly captures: readonly Capture[];
  /** What was authorized and never captured, once nothing more can be; null before. */
  readonly releasedMinor: number | null;
  /** Oldest first; at most one of them is `requested`. */
  readonly refunds: readonly Refund[];
  /**
   * Requests whose refund was rejected or failed: the payer lacks the money until it is requested
   * again or given up. Oldest first.
   */
  readonly unmadeRefunds: readonly string[];
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
  /** `capturedAt`: when we learnt it. */
  | ({ readonly status: 'captured'; readonly capturedAt: Instant } & ExistingPayment)
  | ({ readonly status: 'canceled' | 'expired' | 'returned' } & ExistingPayment);

export type KnownPayment = Exclude<Payment, { status: 'none' }>;

export type PaymentStatus = KnownPayment['status'];

/** The statuses of a payment whose intent exists. */
export type IntentPhase = Exclude<PaymentStatus, 'requested' | 'rejected'>;

export type Existing = Extract<Payment, { readonly intentId: string }>;

export const exists = (payment: Payment): payment is Existing => 'intentId' in payment;

/** No money came or will: no read, no call, no deadline is owed. */
export const isOver = (payment: Payment): boolean =>
  payment.status === 'canceled' ||
  payment.status === 'expired' ||
  payment.status === 'returned' ||
  payment.status === 'rejected';

/** The page takes nothing more: the money has come, or the payment is over. */
export const isSettled = (payment: Payment): boolean =>
  payment.status === 'captured' || isOver(payment);
