import type { Instant } from '#kernel';
import type { LaneName } from './lanes.js';

/** Of what is kept of a run, in characters. */
export const MAX_NOTE_CHARS = 500;

/** Work that is due, held by this worker under `claim`. */
export interface Job {
  readonly kind: string;
  /** What it is about; one job of a kind has it. */
  readonly key: string;
  /** The provider account with whose key its calls are made; null: no account's. */
  readonly accountId: string | null;
  /** Jobs of one subject run one after another, oldest first; null: it waits for no other. */
  readonly subjectId: string | null;
  /** How many events the subject had when the job was claimed. */
  readonly subjectVersion: number;
  /** Business time. */
  readonly dueAt: Instant;
  /** How often it was begun since it was asked for or came to an end, this time included. */
  readonly attempts: number;
  /** `ready`: never begun. `running`: its worker left it in the middle. */
  readonly found: 'ready' | 'waiting' | 'running';
  /** What earlier runs have kept. */
  readonly progress: Readonly<Record<string, unknown>>;
  /** What it was asked by and has not ended yet, as its kind keeps that. */
  readonly askedBy: readonly unknown[];
  /** The fence: who holds a later one holds the job. */
  readonly claim: string;
}

/** How a run ends where no step of its own has ended the job. */
export type JobEnd =
  /** A step of the run has ended it, and left it like this. */
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
      /** It was tried, and counts. */
      readonly isTry?: boolean;
      /** Nor could anything of its lane be done for its account: that is passed over meanwhile. */
      readonly isAccountHeld?: boolean;
    };

/** What a run knows of its claim. */
export interface JobHold {
  /** Throws `ClaimLapsed` when another worker may hold the job by now. Call before each write. */
  readonly stillHeld: () => void;
}

/** One kind of work: what it does, and how it ends. */
export interface JobKind {
  readonly kind: string;
  readonly lane: LaneName;
  /**
   * `lapse`: a run that breaks off may have sent something. It is left as one whose worker died,
   * and found `running`. Without it the run is retried after a backoff.
   */
  readonly afterFailure?: 'lapse';
  /**
   * Does the work and ends the job in the step that records the result (`step.endJob`), or
   * answers how it ends. What it throws is retried; a `StepSuperseded` means that another worker
   * has the job, or that it was asked for anew.
   */
  readonly run: (job: Job, hold: JobHold) => Promise<JobEnd | void>;
}

/** Another worker may hold the job by now, or it was asked for anew. */
export class ClaimLapsed extends Error {
  override readonly name = 'ClaimLapsed';
}
