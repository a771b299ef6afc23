import type { Instant } from '#kernel';
import type { DisputeKind } from './payment-event.js';

/** The provider's payment intent as a read of it, or the answer to a call, shows it. */
export interface ObservedIntent {
  readonly intentId: string;
  /** Our payment's id, as the intent carries it; null where it carries none. */
  readonly reference: string | null;
  readonly pageUrl: string;
  /** In our words; any other one is pending, never a failure. */
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** All of them, oldest first; not given where the intent's status tells of its one capture. */
  readonly captures?: readonly ObservedCapture[];
}

/** One of the intent's payments (`paym_…`), in our words an attempt. */
export interface ObservedAttempt {
  readonly attemptId: string;
  readonly status: string | null;
  readonly response: string | null;
  readonly method: 'card' | 'sepa' | null;
  /** The mandate of a direct debit (`sepa_…`). */
  readonly mandateId: string | null;
  readonly createdAt: Instant;
}

/** A capture of an intent, of a provider that shows them one by one. */
export interface ObservedCapture {
  /** Our capture's id (`cap_…`), as it carries it; null: it was made there by others. */
  readonly reference: string | null;
  /** The provider's own id. */
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

/** A dispute of the intent's payment; `response` is the reason's code. */
export interface ObservedDispute {
  readonly disputeId: string;
  readonly kind: DisputeKind;
  readonly amountMinor: number;
  readonly currency: string;
  readonly feeMinor: number;
  readonly response: string;
  readonly status: string;
  readonly createdAt: Instant;
}

/**
 * What one look at the provider shows: all attempts, refunds and disputes of the intent, oldest
 * first. Null what was not read: an answer to a call shows the intent alone, and before the capture
 * is sent there is neither a refund nor a dispute.
 */
export interface Observation {
  readonly intent: ObservedIntent;
  readonly attempts: readonly ObservedAttempt[] | null;
  readonly refunds: readonly ObservedRefund[] | null;
  readonly disputes: readonly ObservedDispute[] | null;
}
