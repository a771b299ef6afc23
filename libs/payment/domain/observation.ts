import type { Instant } from '#kernel';

/** The provider's payment intent as a read of it, or the answer to a call, shows it. */
export interface ObservedIntent {
  readonly intentId: string;
  readonly pageUrl: string;
  /** As the provider writes it; one we do not know is pending, never a failure. */
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** One of the intent's payments (`paym_…`), in our words an attempt. */
export interface ObservedAttempt {
  readonly attemptId: string;
  readonly status: string | null;
  readonly response: string | null;
  readonly method: 'card' | 'sepa' | null;
  readonly createdAt: Instant;
}

/**
 * What one look at the provider shows. `attempts` are all the attempts of the intent, oldest
 * first, or `null` where an answer to a call shows the intent alone.
 */
export interface Observation {
  readonly intent: ObservedIntent;
  readonly attempts: readonly ObservedAttempt[] | null;
}
