import { assert, type DomainCommand, type Instant } from '#kernel';
import type { Job } from './job.js';

/** A job that sends one request to the provider, claimed by this worker. */
export interface CallJob extends Job {
  /** The id of the event that requested the job. */
  readonly jobId: string;
  /** The id of the aggregate that the request is for. */
  readonly subjectId: string;
  readonly accountId: string;
}

/** Converts a job of the lane `calls` to its specific type. */
export const callOf = (job: Job): CallJob => {
  const { key: jobId, subjectId, accountId } = job;
  assert(subjectId !== null && accountId !== null, 'a call has a subject and a provider account');
  return { ...job, jobId, subjectId, accountId };
};

/** The inputs of every request to the provider. */
export interface CallTools {
  readonly job: CallJob;
  /**
   * Throws `ClaimLapsed` if another worker may have claimed the job by now. Must be called before
   * each write.
   */
  readonly stillHeld: () => void;
  readonly now: () => Instant;
}

/** The state of a job after a run. */
export type NextState =
  | { readonly state: 'done' }
  /**
   * The job is retried: after `afterMs` at the earliest, or at the next time of the retry schedule.
   */
  | { readonly state: 'waiting'; readonly afterMs: number }
  /** The job is stuck: no retry can help, and an operator must act. */
  | { readonly state: 'stuck' };

/** The result of a run; committed together with the job's new state, in one step. */
export interface CallOutcome<Command extends DomainCommand> {
  /** Commands to the aggregate of the job; they are executed in this order. */
  readonly commands: readonly Command[];
  readonly next: NextState;
  readonly note: string;
}

export const done = <Command extends DomainCommand = never>(
  note: string,
  ...commands: readonly Command[]
): CallOutcome<Command> => ({ commands, next: { state: 'done' }, note });

export const retryLater = <Command extends DomainCommand = never>(
  note: string,
  ...commands: readonly Command[]
): CallOutcome<Command> => ({ commands, next: { state: 'waiting', afterMs: 0 }, note });

export const stuck = <Command extends DomainCommand = never>(
  note: string,
  ...commands: readonly Command[]
): CallOutcome<Command> => ({ commands, next: { state: 'stuck' }, note });
