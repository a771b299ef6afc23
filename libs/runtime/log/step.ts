import type {
  DeadlineChange,
  EffectRequest,
  Instant,
  Reservation,
  StreamType,
  UnneededRequest,
} from '#kernel';
import type { WaitingReactions } from './saga.js';
import type { RecordedMetadata } from './stream.js';

/** An event to be appended to the log. */
export interface NewEvent {
  /**
   * The place of the event among all events of the step, across streams: an event comes after the
   * event that caused it.
   */
  readonly ordinal: number;
  readonly eventId: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: RecordedMetadata;
}

/** Events for one stream, appended directly after `expectedVersion`. */
export interface Append {
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly expectedVersion: number;
  readonly events: readonly NewEvent[];
}

/** A saga instance whose state the step used; the commit compares its version. */
export interface SagaWrite {
  readonly saga: string;
  readonly key: string;
  readonly expectedVersion: number;
  /** The change of the instance to save; null if the instance is unchanged. */
  readonly write: {
    readonly state: unknown;
    /** Whether the instance has finished. */
    readonly done: boolean;
    /** The events and deadlines to which the instance failed to react; null if there are none. */
    readonly waiting: WaitingReactions | null;
    /**
     * The wall time until the next retry, in milliseconds. Infinity if only an operator can retry;
     * null if the step does not change the time of the next retry.
     */
    readonly retryAfterMs: number | null;
  } | null;
}

/** The response to a request, stored under its idempotency key. */
export interface StoredAnswer {
  readonly platformId: string;
  readonly key: string;
  /**
   * A hash of the request. The hash shows whether a later request with the same key is a repetition
   * of the same request.
   */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
}

/** A job that this step ends. The step is not committed if `claim` is no longer the job's claim. */
export interface EndedJob {
  readonly kind: string;
  readonly key: string;
  /** Null only if no worker has ever claimed the job. */
  readonly claim: string | null;
  /** The state in which the job must be; absent: `running`. */
  readonly expected?: 'stuck';
  /** The job after the step; if absent, the job is removed. */
  readonly left?: {
    /**
     * `done`: the job never runs again. `waiting`: the job runs again at `dueAt`, because its
     * result is not known yet. `stuck`: an operator must act.
     */
    readonly state: 'done' | 'waiting' | 'stuck';
    readonly dueAt: Instant | null;
    readonly note: string;
  };
}

/** A due deadline that a saga has set. */
export interface DueDeadline {
  readonly kind: string;
  readonly key: string;
  readonly dueAt: Instant;
}

/** A received webhook (`webhooks_received.id`) that this step has handled, with its result. */
export interface HandledWebhook {
  readonly id: string;
  readonly note: string;
}

/**
 * The claim of a job that the commit gives to the committing process, so that no worker has to find
 * the job.
 */
export interface JobClaim {
  readonly claim: string;
  /** How long the claim holds if it is not extended, in milliseconds of the database's clock. */
  readonly claimMs: number;
}

/**
 * A request to the provider. If the request has a claim, the process that commits the step also
 * begins the request.
 */
export interface RequestedCall extends EffectRequest {
  readonly begun: JobClaim | null;
}

/** The unit of commit: the whole step is committed, or nothing. */
export interface Step {
  readonly appends: readonly Append[];
  readonly sagas: readonly SagaWrite[];
  readonly reservations: readonly Reservation[];
  readonly answer: StoredAnswer | null;
  readonly deadlines: readonly DeadlineChange[];
  readonly endedJob: EndedJob | null;
  readonly effects: readonly RequestedCall[];
  readonly unneeded: readonly UnneededRequest[];
  readonly webhooks: readonly HandledWebhook[];
}

/** A step that changes nothing. */
export const EMPTY_STEP: Step = {
  appends: [],
  sagas: [],
  reservations: [],
  answer: null,
  deadlines: [],
  endedJob: null,
  effects: [],
  unneeded: [],
  webhooks: [],
};
