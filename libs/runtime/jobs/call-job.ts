import { assert, type DomainCommand, type Instant } from '#kernel';
import type { Job } from './job.js';

/** One call to make at the provider, held by this worker. */
export interface CallJob extends Job {
  /** The id of the event that asked for the call. */
  readonly jobId: string;
  /** The aggregate for which the call is made. */
  readonly subjectId: string;
  readonly accountId: string;
}

/** A job of the lane of calls as what it is. */
export const callOf = (job: Job): CallJob => {
  const { key: jobId, subjectId, accountId } = job;
  assert(subjectId !== null && accountId !== null, 'a call has a subject and an account');
  return { ...job, jobId, subjectId, accountId };
};

/** What every call works with. */
export interface CallTools {
  readonly job: CallJob;
  /** Throws `ClaimLapsed` when another worker may hold the job by now. Call before each write. */
  readonly stillHeld: () => void;
  readonly now: () => Instant;
}

/** What became of a job's run. */
export type NextState =
  | { readonly state: 'done' }
  /** Retried later: after `afterMs` at the earliest, or as the schedule says. */
  | { readonly state: 'waiting'; readonly afterMs: number }
  /** Nothing more can be done here: for a person. */
  | { readonly state: 'stuck' };

/** The result of a run; committed together with the job's new state, in one step. */
export interface CallOutcome<Command extends DomainCommand> {
  /** To the job's subject, in this order. */
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
