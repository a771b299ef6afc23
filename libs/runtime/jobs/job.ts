import type { Instant } from '#kernel';
import type { BegunCall } from '#log';
import type { LaneName } from './lanes.js';

/** The maximum length of a job's note, in characters. */
export const MAX_NOTE_CHARS = 500;

/** A due job that this worker has claimed. */
export interface Job {
  readonly kind: string;
  /** The key of the job, unique within its kind. */
  readonly key: string;
  /** The provider account whose API key the job uses; null if the job uses none. */
  readonly accountId: string | null;
  /**
   * Jobs of one subject run one after another, the oldest first; null: the job waits for no other
   * job.
   */
  readonly subjectId: string | null;
  /** The number of events in the subject's stream when the job was claimed. */
  readonly subjectVersion: number;
  /** The instant of business time at which the job is due. */
  readonly dueAt: Instant;
  /** The number of runs since the job was requested or last ended, including this one. */
  readonly attempts: number;
  /**
   * The state in which the claim found the job. `ready`: it was never started. `running`: an
   * earlier run was interrupted.
   */
  readonly found: 'ready' | 'waiting' | 'running';
  /**
   * Whether this process begins the job right after the commit that requested it. Everything that
   * was read for the commit is then still current.
   */
  readonly isBegun: boolean;
  /** The data that earlier runs of the job stored for later runs. */
  readonly progress: Readonly<Record<string, unknown>>;
  /**
   * The open action requests for which the job was requested; their format depends on the kind of
   * job.
   */
  readonly askedBy: readonly unknown[];
  /** A fencing token: only the newest claim can change the job. */
  readonly claim: string;
}

/** The job of a request to the provider that begins right after its commit. */
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

/** How a run ends: a step of the run has already ended the job, or the runner must end the job. */
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
      /** The account's jobs in this lane cannot run now, so they are skipped for a while. */
      readonly isAccountHeld?: boolean;
    };

/** The check with which a run verifies its claim. */
export interface JobHold {
  /**
   * Throws `ClaimLapsed` if another worker may have claimed the job by now. Must be called before
   * each write.
   */
  readonly stillHeld: () => void;
}

/** One kind of job: how it runs, and how it ends. */
export interface JobKind {
  readonly kind: string;
  readonly lane: LaneName;
  /**
   * `lapse` is for jobs whose failed run may have sent a request. The claim is not released but
   * expires, as if the worker had failed, and the next run finds the job in the state `running`.
   * Without `lapse` a failed run is retried after a backoff.
   */
  readonly afterFailure?: 'lapse';
  /**
   * The trace context of the events that the job continues; null if there is none. Called only if
   * traces are exported.
   */
  readonly traceparentOf?: (job: Job) => Promise<string | null>;
  /**
   * Runs the job, and ends it in the step that records the result (`step.endJob`), or returns how
   * it ends. After an error the job is retried. `StepSuperseded` means that another worker has
   * claimed the job, or that the job was requested again.
   */
  readonly run: (job: Job, hold: JobHold) => Promise<JobEnd | void>;
}

/** Thrown if another worker may have claimed the job by now, or if the job was requested again. */
export class ClaimLapsed extends Error {
  override readonly name = 'ClaimLapsed';
}
