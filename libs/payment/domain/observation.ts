import type { Instant } from '#kernel';
import type { DisputeKind } from './payment-event.js';

/** The provider's payment intent, as a read or a call's response shows it. */
export interface ObservedIntent {
  readonly intentId: string;
  /** Our payment's id, which the intent carries as its reference; null where it has none. */
  readonly reference: string | null;
  readonly pageUrl: string;
  /** The provider's status in our terms; an unrecognised one is pending, never a failure. */
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** All captures, oldest first; absent where the status alone describes the only capture. */
  readonly captures?: readonly ObservedCapture[];
}

/** One of the intent's payments (`paym_…`), which we call an attempt. */
export interface ObservedAttempt {
  readonly attemptId: string;
  readonly status: string | null;
  readonly response: string | null;
  readonly method: 'card' | 'sepa' | null;
  /** The mandate of a direct debit (`sepa_…`). */
  readonly mandateId: string | null;
  readonly createdAt: Instant;
}

/** A capture of an intent, of a provider that lists captures. */
export interface ObservedCapture {
  /** Our capture's id (`cap_…`), which it carries as its reference; null: others made it there. */
  readonly reference: string | null;
  /** The provider's id. */
  readonly captureId: string;
  readonly amountMinor: number;
  readonly status: string;
}

/** A refund of the intent's payment. */
export interface ObservedRefund {
  readonly refundId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: string;
  readonly createdAt: Instant;
}

/** A dispute of the intent's payment; `reasonCode` is the bank's. */
export interface ObservedDispute {
  readonly disputeId: string;
  readonly kind: DisputeKind;
  readonly amountMinor: number;
  readonly currency: string;
  readonly feeMinor: number;
  readonly reasonCode: string;
  readonly status: string;
  readonly createdAt: Instant;
}

/**
 * The result of one read of the provider: all attempts, refunds and disputes of the intent, oldest
 * first. Null where they were not read: the response to a call has the intent alone, and before the
 * capture is sent there is neither a refund nor a dispute.
 */
export interface Observation {
  readonly intent: ObservedIntent;
  readonly attempts: readonly ObservedAttempt[] | null;
  readonly refunds: readonly ObservedRefund[] | null;
  readonly disputes: readonly ObservedDispute[] | null;
}
