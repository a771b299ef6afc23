import type { DomainCommand, Instant } from '#kernel';

/** One call to make at the provider, held by this worker under `claim`. */
export interface EffectJob {
  /** The id of the event that asked for the call. */
  readonly jobId: string;
  readonly kind: string;
  /** The aggregate for which the call is made. */
  readonly subjectId: string;
  /** How many events that aggregate had when the job was taken up. */
  readonly subjectVersion: number;
  readonly accountId: string;
  /** How often it has been taken up, this time included. */
  readonly tries: number;
  /** `ready`: never begun. In any other state a call may have been made: look before calling. */
  readonly found: 'ready' | 'waiting' | 'calling';
  readonly claim: string;
}

/** What every call works with. */
export interface CallTools {
  readonly job: EffectJob;
  /** Throws `ClaimLapsed` when another worker may hold the job by now. Call before each write. */
  readonly stillHeld: () => void;
  readonly now: () => Instant;
}

/** What became of a job's run. */
export type NextState =
  | { readonly state: 'done' }
  /** Look again later; `afterMs` is the least wait, the schedule may be longer. */
  | { readonly state: 'waiting'; readonly afterMs: number }
  /** Nothing more can be done here: for a person. */
  | { readonly state: 'stuck' };

/** What came of a run; committed together with the job's new state, in one step. */
export interface CallOutcome<Command extends DomainCommand> {
  /** To the job's subject, in this order. */
  readonly commands: readonly Command[];
  readonly next: NextState;
  readonly note: string;
}

/** The worker was slow, and its claim has run out: somebody else may be at it. */
export class ClaimLapsed extends Error {
  override readonly name = 'ClaimLapsed';
}

export const done = <Command extends DomainCommand = never>(
  note: string, ...commands: readonly Command[]
): CallOutcome<Command> => ({ commands, next: { state: 'done' }, note });

export const lookAgain = <Command extends DomainCommand = never>(
  note: string, ...commands: readonly Command[]
): CallOutcome<Command> => ({ commands, next: { state: 'waiting', afterMs: 0 }, note });

export const stuck = <Command extends DomainCommand = never>(
  note: string, ...commands: readonly Command[]
): CallOutcome<Command> => ({ commands, next: { state: 'stuck' }, note });
