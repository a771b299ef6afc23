import type { Instant } from '#kernel';
import type { LaneName } from './lanes.js';

/** The maximum length of a job's note, in characters. */
export const MAX_NOTE_CHARS = 500;

/** Due work, claimed by this worker under `claim`. */
export interface Job {
  readonly kind: string;
  /** The key of the job, unique within its kind. */
  readonly key: string;
  /** The provider account whose key is used; null: none. */
  readonly accountId: string | null;
  /** Jobs of one subject run in sequence, oldest first; null: the job waits for no other. */
  readonly subjectId: string | null;
  /** The subject's number of events when the job was claimed. */
  readonly subjectVersion: number;
  /** Business time. */
  readonly dueAt: Instant;
  /** The number of starts since the job was requested or last ended, including this one. */
  readonly attempts: number;
  /** `ready`: never started. `running`: its worker failed during the run. */
  readonly found: 'ready' | 'waiting' | 'running';
  /** Notes of earlier runs. */
  readonly progress: Readonly<Record<string, unknown>>;
  /** The open requests of this job, in a format defined by its kind. */
  readonly askedBy: readonly unknown[];
  /** A fencing token: only the holder of the latest claim may change the job. */
  readonly claim: string;
}

/** The result of a run that did not end the job by a step of its own. */
export type JobEnd =
  /** A step of the run has ended the job, with this state. */
  | { readonly next: 'recorded'; readonly state: 'done' | 'waiting' | 'stuck' }
  | { readonly next: 'done' }
  /** Due again at an instant of business time; without `progress` what was kept stays. */
  | {
      readonly next: 'again';
      readonly dueAt: Instant;
      readonly progress?: Readonly<Record<string, unknown>>;
    }
  /** Nothing could be done: again after so long of wall time. */
  | {
      readonly next: 'later';
      readonly waitMs: number;
      /** The run counts as an attempt. */
      readonly isTry?: boolean;
      /** No work of its lane is possible for its account: the account is skipped for a while. */
      readonly isAccountHeld?: boolean;
    };

/** A run's access to its claim. */
export interface JobHold {
  /** Throws `ClaimLapsed` if another worker may have the job by now. Call before each write. */
  readonly stillHeld: () => void;
}

/** One kind of work: how it runs and how it ends. */
export interface JobKind {
  readonly kind: string;
  readonly lane: LaneName;
  /**
   * `lapse`: an interrupted run may have sent something. The job stays as if its worker had failed,
   * and is found `running`. Otherwise the run is retried after a backoff.
   */
  readonly afterFailure?: 'lapse';
  /**
   * Does the work and ends the job in the step that records the result (`step.endJob`), or returns
   * its result. Errors lead to a retry; `StepSuperseded` means that another worker has the job, or
   * that it was requested again.
   */
  readonly run: (job: Job, hold: JobHold) => Promise<JobEnd | void>;
}

/** Another worker may have the job by now, or it was requested again. */
export class ClaimLapsed extends Error {
  override readonly name = 'ClaimLapsed';
}
