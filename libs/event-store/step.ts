import type { Instant } from '#kernel';
import type { DeadlineChange, EffectRequest } from './aggregate.js';
import type { EventMetadata, StreamType } from './stream.js';

/** An event on its way into the log. */
export interface NewEvent {
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

/** A consumer has taken a stream's event `version`, and `previous` was the one it took before. */
export interface Receipt {
  readonly consumer: string;
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly previous: number;
  readonly version: number;
}

/** A saga's state after the step; `done` means it waits for nothing any more. */
export interface SagaWrite {
  readonly saga: string;
  readonly key: string;
  readonly expectedVersion: number;
  readonly state: unknown;
  readonly done: boolean;
}

/** A name that may be taken once, e.g. a platform's order reference; `holder` has it then. */
export interface Reservation {
  readonly scope: string;
  readonly key: string;
  readonly holder: string;
}

/** The answer to a request, kept under its idempotency key. */
export interface StoredAnswer {
  readonly platformId: string;
  readonly key: string;
  /** Hash of what the request asked, to tell a repetition from a reuse of the key. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
}

/** The deadline that this step carries out; it is gone after the step. */
export interface FiredDeadline {
  readonly kind: string;
  readonly key: string;
  readonly dueAt: Instant;
}

/** What became of an effect job that this worker holds. */
export interface EffectResult {
  readonly jobId: string;
  /** The claim under which the job was run: another worker's later claim makes this step void. */
  readonly claim: string;
  /** `done`: never again. `waiting`: look again at `dueAt`, as the outcome is not known yet. */
  readonly state: 'done' | 'waiting' | 'stuck';
  readonly dueAt: Instant | null;
  readonly note: string;
}

/** A received webhook (`webhooks_received.id`) that this step deals with, and how. */
export interface HandledWebhook {
  readonly id: string;
  readonly note: string;
}

/** The commit unit: all of it becomes true at once, or none of it. */
export interface Step {
  readonly appends: readonly Append[];
  readonly receipt: Receipt | null;
  readonly saga: SagaWrite | null;
  readonly reservations: readonly Reservation[];
  readonly answer: StoredAnswer | null;
  readonly deadlines: readonly DeadlineChange[];
  readonly fired: FiredDeadline | null;
  readonly effects: readonly EffectRequest[];
  readonly effectResult: EffectResult | null;
  readonly webhooks: readonly HandledWebhook[];
}
