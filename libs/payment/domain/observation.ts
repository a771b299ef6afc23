import type { Instant } from '#kernel';
import type { DisputeKind, MethodDetails } from './payment-event.js';

/** The provider's payment intent, from a read or from the response to a request. */
export interface ObservedIntent {
  readonly intentId: string;
  /**
   * The id of our payment, which is the reference of the intent; null if the intent has no
   * reference.
   */
  readonly reference: string | null;
  readonly pageUrl: string;
  /**
   * The provider's status, mapped to our statuses; an unrecognised status counts as pending, never
   * as a failure.
   */
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  /**
   * All captures, oldest first; absent if the provider does not list captures, because then the
   * status of the intent describes the only capture.
   */
  readonly captures?: readonly ObservedCapture[];
}

/** One of the intent's payments (`paym_…`), which we call an attempt. */
export interface ObservedAttempt {
  readonly attemptId: string;
  readonly status: string | null;
  readonly response: string | null;
  readonly method: 'card' | 'sepa' | null;
  /** Missing if the provider shows no details of the method. */
  readonly methodDetails?: MethodDetails;
  /** The mandate of a direct debit (`sepa_…`). */
  readonly mandateId: string | null;
  /** When an authorization by this attempt expires if it is not captured. */
  readonly authorizedUntil: Instant;
  /**
   * The amount of the attempt, which is lower than the intent's if the bank approves only a part.
   * Missing if the read does not show it.
   */
  readonly money?: { readonly amountMinor: number; readonly currency: string };
}

/** A capture of an intent, at a provider that lists captures. */
export interface ObservedCapture {
  /**
   * The id of our capture (`cap_…`), which is the reference of the provider's capture; null for a
   * capture that was made directly at the provider.
   */
  readonly reference: string | null;
  /** The id of the capture at the provider. */
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

/** A dispute of the intent's payment; `reasonCode` is the bank's code. */
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
 * What one read of the provider shows: all attempts, refunds and disputes of the intent, oldest
 * first. A list is null if it was not read: the response to a request contains only the intent, and
 * refunds and disputes are not read before the capture is sent, because none can exist then.
 */
export interface Observation {
  readonly intent: ObservedIntent;
  readonly attempts: readonly ObservedAttempt[] | null;
  readonly refunds: readonly ObservedRefund[] | null;
  readonly disputes: readonly ObservedDispute[] | null;
}
