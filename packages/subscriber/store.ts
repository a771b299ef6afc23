import type { ReceivedEvent, StreamRef } from './envelope.js';

/** Why and where a stream is blocked. */
export interface Block {
  /** The version of the event that cannot be handled. */
  readonly version: number;
  /**
   * `failed`: the handler fails; `gap`: the event is missing; `feed`: the event cannot be read from
   * the event log (`confirm`), although other events can; `newer`: this release of the package does
   * not know the schema version of the event; `diverged`: the log was restored to an earlier state,
   * and its event is not the one that was handled as this version.
   */
  readonly reason: 'failed' | 'gap' | 'feed' | 'newer' | 'diverged';
  /** The event's type; null if the event is missing. */
  readonly type: string | null;
  readonly error: string;
  /**
   * How often the stream was blocked at this version: once, and once more for each failed retry, of
   * an operator or by itself.
   */
  readonly times: number;
  /** The time at which the stream was first blocked at this version, in ISO 8601. */
  readonly since: string;
}

/** A subscriber's progress in one stream. */
export interface StreamState {
  /** The last version whose effect is committed; 0 before the first. */
  readonly version: number;
  /**
   * The id of the event with this version; null if it is unknown, e.g. because an earlier release of
   * the package stored the version.
   */
  readonly eventId: string | null;
  /** The block of the stream; null if it is not blocked. */
  readonly block: Block | null;
}

export interface BlockedStream extends StreamRef, Block {}

/** An event that an operator discarded. */
export interface Discard extends StreamRef {
  /** The last version that was discarded. */
  readonly version: number;
  /** The discarded event; null for versions that never arrived. */
  readonly event: ReceivedEvent | null;
  readonly error: string;
  readonly reason: string;
}

/** A stream that is locked in one transaction. */
export interface LockedStream<Tx> {
  /** The transaction in which handlers write. */
  readonly tx: Tx;
  /** The state of the stream, read after the stream was locked. */
  readonly state: StreamState;
  save(state: StreamState): Promise<void>;
  /**
   * Stores an event of a blocked stream for later. If its version is already stored, the stored
   * event stays: events that the log has lost are deleted before.
   */
  keep(event: ReceivedEvent): Promise<void>;
  /** The stored event with the lowest version above `version`. */
  firstKept(version: number): Promise<ReceivedEvent | null>;
  /** Deletes the stored events up to this version. */
  release(version: number): Promise<void>;
  record(discard: Discard): Promise<void>;
  /**
   * Checks the transaction's connection after a handler rejected. Resolves if the connection works,
   * even if a statement of the handler failed; otherwise rejects with a transient error.
   */
  ping(): Promise<void>;
}

/**
 * The store of a subscriber's progress, such as `PostgresStore`. An implementation requires only
 * transactions in which a stream can be locked.
 */
export interface Store<Tx> {
  /**
   * The name of the subscriber, used for its rows and, after the topics' prefix, for its consumer
   * group.
   */
  readonly subscriber: string;
  /**
   * The stored states of the streams, by `streamKey`, read without a lock. A stream without
   * progress has no entry.
   */
  read(streams: readonly StreamRef[]): Promise<ReadonlyMap<string, StreamState>>;
  /**
   * Runs `work` while this stream is locked against all other processes, and commits its writes:
   * all of them, or none if `work` rejects.
   */
  transaction<T>(stream: StreamRef, work: (stream: LockedStream<Tx>) => Promise<T>): Promise<T>;
  /** The blocked streams, at most 1000; those blocked longest come first. */
  blocked(): Promise<readonly BlockedStream[]>;
  /**
   * Whether the error is transient, so that a retry can succeed: the store was unavailable or had a
   * conflict.
   */
  isTransient(error: unknown): boolean;
}
