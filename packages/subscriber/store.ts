import type { ReceivedEvent, StreamRef } from './envelope.js';

/** Why and where a stream is blocked. */
export interface Block {
  /** The version that cannot be handled. */
  readonly version: number;
  /** Its handler fails, it is missing, or `confirm` fails only for it. */
  readonly reason: 'failed' | 'gap' | 'feed';
  /** The event's type; null where it is missing. */
  readonly type: string | null;
  readonly error: string;
  /** How often the stream was blocked at this version. */
  readonly times: number;
  /** ISO 8601. */
  readonly since: string;
}

/** A subscriber's progress in one stream. */
export interface StreamState {
  /** The last version whose effect is committed; 0 before the first. */
  readonly version: number;
  /** Where the stream is blocked; null while it flows. */
  readonly block: Block | null;
}

export interface BlockedStream extends StreamRef, Block {}

/** An event that an operator discarded. */
export interface Discard extends StreamRef {
  /** The last version that was discarded. */
  readonly version: number;
  /** Null for versions that never arrived. */
  readonly event: ReceivedEvent | null;
  readonly error: string;
  readonly reason: string;
}

/** One stream under a lock, in one transaction. */
export interface LockedStream<Tx> {
  /** The transaction that handlers write with. */
  readonly tx: Tx;
  /** The state under the lock. */
  readonly state: StreamState;
  save(state: StreamState): Promise<void>;
  /** Stores an event of a blocked stream; a version that is stored already changes nothing. */
  keep(event: ReceivedEvent): Promise<void>;
  /** The stored event with the lowest version above `version`. */
  firstKept(version: number): Promise<ReceivedEvent | null>;
  /** Deletes the stored events up to this version. */
  release(version: number): Promise<void>;
  record(discard: Discard): Promise<void>;
  /**
   * Called after a handler rejected: resolves while the transaction's connection works, also when a
   * statement of the handler failed; otherwise rejects with an error that is transient.
   */
  ping(): Promise<void>;
}

/**
 * The store of a subscriber's progress. `PostgresStore` is one; another one needs nothing
 * but transactions in which a stream can be locked.
 */
export interface Store<Tx> {
  /** Names the subscriber: its rows and, behind the topics' prefix, its consumer group. */
  readonly subscriber: string;
  /** The state of the streams that have one, by `streamKey`, without a lock. */
  read(streams: readonly StreamRef[]): Promise<ReadonlyMap<string, StreamState>>;
  /**
   * Runs `work` while this stream is locked against all other processes, and commits its writes:
   * all of it, or nothing when `work` rejects.
   */
  transaction<T>(stream: StreamRef, work: (stream: LockedStream<Tx>) => Promise<T>): Promise<T>;
  /** The blocked streams, longest blocked first, at most 1000. */
  blocked(): Promise<readonly BlockedStream[]>;
  /** Whether a retry can succeed: the store is away, or had a conflict. */
  isTransient(error: unknown): boolean;
}
