import type { ReservationTaken, StepBuilder } from '#log';
import type { CallJob, CallOutcome, CallTools, NextState } from './call-job.js';

/** The result of a provider request; `record` adds it to the step that ends the job. */
export interface EndedCall {
  readonly next: NextState;
  readonly note: string;
  readonly record: (step: StepBuilder) => Promise<void>;
}

/** A job with the id of its subject. */
export interface LoadedCall {
  /** The metadata of the events that record the result. */
  readonly correlationId: string;
  /**
   * Sends the request. Throws a `ProviderError` if the request did nothing and showed nothing;
   * throws `ClaimLapsed` if the claim is lost.
   */
  readonly make: (tools: CallTools) => Promise<EndedCall>;
  /** The maximum wait between two attempts; null: the usual backoff is acceptable. */
  readonly maxBackoffMs?: number | null;
  /**
   * Recorded instead of the result if the response shows a provider object that belongs to another
   * subject.
   */
  readonly recordTaken?: (step: StepBuilder, taken: ReservationTaken) => Promise<void>;
  /**
   * Recorded instead of the result if a write may have been sent and its result cannot be recorded.
   */
  readonly recordStuck?: (step: StepBuilder) => Promise<void>;
}

/**
 * How the provider requests of one kind of aggregate are sent and recorded; the runner itself knows
 * no aggregate.
 */
export interface CallFamily {
  readonly kinds: readonly string[];
  readonly load: (job: CallJob) => Promise<LoadedCall>;
  /** The handling of a request that did nothing and showed nothing; null for any other error. */
  readonly outcomeOf: (error: unknown) => CallOutcome<never> | null;
}
