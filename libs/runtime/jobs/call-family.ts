import type { ReservationTaken, StepBuilder } from '#log';
import type { CallJob, CallOutcome, CallTools, NextState } from './call-job.js';

/**
 * The result of a request to the provider. `record` adds the result to the step that ends the job.
 */
export interface EndedCall {
  readonly next: NextState;
  readonly note: string;
  readonly record: (step: StepBuilder) => Promise<void>;
}

/** A job whose aggregate was loaded. */
export interface LoadedCall {
  /** The correlation id of the events that record the result. */
  readonly correlationId: string;
  /**
   * Sends the request, after reads if they are necessary. Throws a `ProviderError` if the request
   * had no effect and no read showed anything new; throws `ClaimLapsed` if the claim is lost.
   */
  readonly make: (tools: CallTools) => Promise<EndedCall>;
  /** The maximum wait between two attempts; null: the waits grow up to the usual maximum. */
  readonly maxBackoffMs?: number | null;
  /**
   * Adds events, instead of the result, if the provider's object in the response already belongs to
   * a different aggregate.
   */
  readonly recordTaken?: (step: StepBuilder, taken: ReservationTaken) => Promise<void>;
  /**
   * Records that the result of a write is unknown: the write may have been sent, but its result
   * cannot be recorded.
   */
  readonly recordStuck?: (step: StepBuilder) => Promise<void>;
}

/**
 * How the requests for one type of aggregate are sent and recorded. The runner itself does not
 * depend on any aggregate.
 */
export interface CallFamily {
  readonly kinds: readonly string[];
  readonly load: (job: CallJob) => Promise<LoadedCall>;
  /** The newest trace context in the events of the job's aggregate; null if there is none. */
  readonly traceparentOf: (job: CallJob) => Promise<string | null>;
  /**
   * The result of a run that failed with this error, if its request had no effect and no read
   * showed anything new; null for any other error.
   */
  readonly outcomeOf: (error: unknown, job: CallJob) => CallOutcome<never> | null;
}
