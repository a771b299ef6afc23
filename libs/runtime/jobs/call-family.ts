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
  /** Metadata of the resulting events. */
  readonly correlationId: string;
  /** Throws a `ProviderError` if nothing was done and nothing was learnt; throws `ClaimLapsed`. */
  readonly make: (tools: CallTools) => Promise<EndedCall>;
  /** The maximum wait between two attempts; null: the usual backoff is acceptable. */
  readonly maxBackoffMs?: number | null;
  /** Recorded instead if the response shows an object that belongs to another subject. */
  readonly recordTaken?: (step: StepBuilder, taken: ReservationTaken) => Promise<void>;
  /** Recorded instead if a write may have been sent and its result cannot be recorded. */
  readonly recordStuck?: (step: StepBuilder) => Promise<void>;
}

/**
 * The provider requests of one kind of aggregate: everything that the runner does not know about
 * them.
 */
export interface CallFamily {
  readonly kinds: readonly string[];
  readonly load: (job: CallJob) => Promise<LoadedCall>;
  /** The handling of a request that did nothing and showed nothing; null for any other error. */
  readonly outcomeOf: (error: unknown) => CallOutcome<never> | null;
}
