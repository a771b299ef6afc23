import type { ReservationTaken, StepBuilder } from '#log';
import type { CallJob, CallOutcome, CallTools, NextState } from './call-job.js';

/** What a call has led to; `record` gathers what it showed in the step that ends its job. */
export interface EndedCall {
  readonly next: NextState;
  readonly note: string;
  readonly record: (step: StepBuilder) => Promise<void>;
}

/** A job with the subject that it is for. */
export interface LoadedCall {
  /** Of the events that follow. */
  readonly correlationId: string;
  /** Throws a `ProviderError` where nothing was done and nothing was learnt; `ClaimLapsed`. */
  readonly make: (tools: CallTools) => Promise<EndedCall>;
  /** No wait between two tries may be longer; null where the usual waits lose nothing. */
  readonly maxBackoffMs?: number | null;
  /** What is recorded instead where the call has shown what belongs to another subject already. */
  readonly recordTaken?: (step: StepBuilder, taken: ReservationTaken) => Promise<void>;
  /** Recorded instead where a write may have been sent and its result cannot be recorded. */
  readonly recordStuck?: (step: StepBuilder) => Promise<void>;
}

/** The calls that are made for one kind of aggregate: all that the runner need not know of it. */
export interface CallFamily {
  readonly kinds: readonly string[];
  readonly load: (job: CallJob) => Promise<LoadedCall>;
  /** What becomes of a call that did nothing and showed nothing; null for any other error. */
  readonly outcomeOf: (error: unknown) => CallOutcome<never> | null;
}
