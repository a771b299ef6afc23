import type { Instant } from '#kernel';
import type { BegunCall } from '#log';
import type { LaneName } from './lanes.js';

/** The maximum length of a job's note, in characters. */
export const MAX_NOTE_CHARS = 500;

/** Due work, claimed by this worker under `claim`. */
export interface Job {
  readonly kind: string;
  /** The key of the job, unique within its kind. */
  readonly key: string;
  /** The provider account whose API key the job uses; null if the job uses none. */
  readonly accountId: string | null;
  /** Jobs of one subject run in sequence, oldest first; null: the job waits for no other. */
  readonly subjectId: string | null;
  /** The number of events of the subject when the job was claimed. */
  readonly subjectVersion: number;
  /** Business time. */
  readonly dueAt: Instant;
  /** The number of starts since the job was requested or last ended, including this one. */
  readonly attempts: number;
  /** `ready`: never started. `running`: its worker failed during the run. */
  readonly found: 'ready' | 'waiting' | 'running';
  /** Whether this process runs it right after its own commit, so that what the step read is fresh. */
  readonly isBegun: boolean;
  /** Progress that earlier runs stored for later ones. */
  readonly progress: Readonly<Record<string, unknown>>;
  /** The open action requests that the job serves, in a format defined by the job's kind. */
  readonly askedBy: readonly unknown[];
  /** A fencing token: only the holder of the latest claim may change the job. */
  readonly claim: string;
}

/** The job of a provider request that begins with its commit. */
export const begunJob = ({
  jobId: key,
  kind,
  subjectId,
  accountId,
  askedAt: dueAt,
  subjectVersion,
  claim,
}: BegunCall): Job => ({
  kind,
  key,
  accountId,
  subjectId,
  subjectVersion,
  dueAt,
  attempts: 1,
  found: 'ready',
  isBegun: true,
  progress: {},
  askedBy: [],
  claim,
});

/** The end of a run that did not end its job in a step of the event log. */
export type JobEnd =
  /** A step of the run has already ended the job with this state. */
  | { readonly next: 'recorded'; readonly state: 'done' | 'waiting' | 'stuck' }
  | { readonly next: 'done' }
  /**
   * The job is due again at an instant of business time; without `progress` the stored progress
   * stays.
   */
  | {
      readonly next: 'again';
      readonly dueAt: Instant;
      readonly progress?: Readonly<Record<string, unknown>>;
    }
  /** The run could do nothing; the job is due again after this much wall time. */
  | {
      readonly next: 'later';
      readonly waitMs: number;
      /** Whether the run counts as an attempt. */
      readonly isTry?: boolean;
      /**
       * The account can do no work of this lane now: its jobs in the lane are skipped for a while.
       */
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
   * `lapse` is for kinds whose interrupted run may have sent something: the job stays claimed as if
   * its worker had failed, and the next run finds it `running`. Without it the run is retried after
   * a backoff.
   */
  readonly afterFailure?: 'lapse';
  /**
   * Does the work and ends the job in the step that records the result (`step.endJob`), or returns
   * its result. Errors lead to a retry; `StepSuperseded` means that another worker has the job, or
   * that it was requested again.
   */
  readonly run: (job: Job, hold: JobHold) => Promise<JobEnd | void>;
}

/** Thrown when another worker may have the job by now, or when the job was requested again. */
export class ClaimLapsed extends Error {
  override readonly name = 'ClaimLapsed';
}
