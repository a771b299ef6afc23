import type { EventRow } from './event-row.js';
import type { WaitingReactions } from './saga.js';
import type { Step } from './step.js';
import type { StreamType } from './stream.js';
import type { StoredEvent } from './upcast.js';

export interface StreamRef {
  readonly streamType: StreamType;
  readonly streamId: string;
}

/** An instance of a saga as it was saved last; version 0 and `null` before the first time. */
export interface SavedSaga {
  readonly version: number;
  readonly state: unknown;
  readonly done: boolean;
  readonly waiting: WaitingReactions | null;
}

export const NEW_SAGA: SavedSaga = { version: 0, state: null, done: false, waiting: null };

/** What the event store needs of whatever keeps the log. */
export interface LogStorage {
  /**
   * Makes the whole step true, or nothing of it.
   *
   * @throws StepConflict, StepSuperseded, ReservationTaken, AlreadyAnswered. After any other error
   *   the outcome is not known.
   */
  commit(step: Step): Promise<void>;
  /** A whole stream, its first event first. */
  history(stream: StreamRef): Promise<readonly StoredEvent[]>;
  /** The events of some streams together, in the order of the log. */
  readStreams(streams: readonly StreamRef[]): Promise<readonly EventRow[]>;
  /** A stream's events after `version`, at most `limit`. */
  readStream(stream: StreamRef, afterVersion: number, limit: number): Promise<readonly EventRow[]>;
  /** Who has each of these names of a scope; a name that nobody has is left out. */
  holdersOf(scope: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  loadSaga(saga: string, key: string): Promise<SavedSaga>;
}
