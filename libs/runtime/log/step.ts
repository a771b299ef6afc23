import type { DeadlineChange, EffectRequest, Instant, Reservation, StreamType } from '#kernel';
import type { WaitingReactions } from './saga.js';
import type { EventMetadata } from './stream.js';

/** An event on its way into the log. */
export interface NewEvent {
  /** Its place among the events of the step, over all streams: effects come after causes. */
  readonly ordinal: number;
  readonly eventId: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: EventMetadata;
}

/** Events for one stream, to follow directly on `expectedVersion`. */
export interface Append {
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly expectedVersion: number;
  readonly events: readonly NewEvent[];
}

/** An instance of a saga that the step rests on, compared by its version. */
export interface SagaWrite {
  readonly saga: string;
  readonly key: string;
  readonly expectedVersion: number;
  /** Null where the instance stays as it was. */
  readonly write: {
    readonly state: unknown;
    /** It waits for nothing any more. */
    readonly done: boolean;
    /** What it could not react to; null: nothing. */
    readonly waiting: WaitingReactions | null;
    /** Wall time until that is tried again; Infinity: when a person asks; null: as set before. */
    readonly retryAfterMs: number | null;
  } | null;
}

/** The answer to a request, kept under its idempotency key. */
export interface StoredAnswer {
  readonly platformId: string;
  readonly key: string;
  /** Hash of what the request asked, to distinguish a replay from a reuse of the key. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
}

/** A job that this step ends, held under `claim`: another claim makes the step void. */
export interface EndedJob {
  readonly kind: string;
  readonly key: string;
  readonly claim: string;
  /** What is left of it; without this it is removed. */
  readonly left?: {
    /** `done`: never again. `waiting`: again at `dueAt`, as the outcome is not known yet. */
    readonly state: 'done' | 'waiting' | 'stuck';
    readonly dueAt: Instant | null;
    readonly note: string;
  };
}

/** A deadline that a saga has set, and that is due. */
export interface DueDeadline {
  readonly kind: string;
  readonly key: string;
  readonly dueAt: Instant;
}

/** A received webhook (`webhooks_received.id`) that this step deals with, and how. */
export interface HandledWebhook {
  readonly id: string;
  readonly note: string;
}

/** The commit unit: all of it becomes true at once, or none of it. */
export interface Step {
  readonly appends: readonly Append[];
  readonly sagas: readonly SagaWrite[];
  readonly reservations: readonly Reservation[];
  readonly answer: StoredAnswer | null;
  readonly deadlines: readonly DeadlineChange[];
  readonly endedJob: EndedJob | null;
  readonly effects: readonly EffectRequest[];
  readonly webhooks: readonly HandledWebhook[];
}
