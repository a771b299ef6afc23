import type { ReceivedEvent, StreamRef } from './envelope.js';

/** Why and where a stream cannot go on. */
export interface Block {
  /** The version that cannot be dealt with. */
  readonly version: number;
  /** Its handler fails, it is missing, or `confirm` fails at it alone. */
  readonly reason: 'failed' | 'gap' | 'feed';
  /** The event's type; null where it is missing. */
  readonly type: string | null;
  readonly error: string;
  /** How often the stream was blocked at this version. */
  readonly times: number;
  /** ISO 8601. */
  readonly since: string;
}

/** How far a subscriber has come in one stream. */
export interface StreamState {
  /** The last version whose effect is committed; 0 before the first. */
  readonly version: number;
  /** Where the stream is blocked; null while it flows. */
  readonly block: Block | null;
}

export interface BlockedStream extends StreamRef, Block {}

/** An event that was passed over by a person's decision. */
export interface Discard extends StreamRef {
  /** The last version that was passed over. */
  readonly version: number;
  /** Null for versions that never came. */
  readonly event: ReceivedEvent | null;
  readonly error: string;
  readonly reason: string;
}

/** One stream under a lock, in one transaction. */
export interface LockedStream<Tx> {
  /** What handlers write with. */
  readonly tx: Tx;
  /** As it is under the lock. */
  readonly state: StreamState;
  save(state: StreamState): Promise<void>;
  /** Keeps an event of a blocked stream; one of a version that is kept already changes nothing. */
  keep(event: ReceivedEvent): Promise<void>;
  /** The kept event with the lowest version above `version`. */
  firstKept(version: number): Promise<ReceivedEvent | null>;
  /** Deletes what is kept up to this version. */
  release(version: number): Promise<void>;
  record(discard: Discard): Promise<void>;
  /**
   * Asked after a handler rejected: resolves while the transaction's connection works, also when a
   * statement of the handler failed; otherwise rejects with an error that is transient.
   */
  ping(): Promise<void>;
}

/**
 * Where a subscriber keeps how far it has come. `PostgresStore` is one; another one needs nothing
 * but transactions in which a stream can be locked.
 */
export interface Store<Tx> {
  /** Names the subscriber: its rows and, behind the topics' prefix, its consumer group. */
  readonly subscriber: string;
  /** By `streamKey`, as far as the streams are known. It need not be locked. */
  read(streams: readonly StreamRef[]): Promise<ReadonlyMap<string, StreamState>>;
  /**
   * Runs `work` while this stream is locked against all other processes, and commits what it wrote:
   * all of it, or nothing when `work` rejects.
   */
  transaction<T>(stream: StreamRef, work: (stream: LockedStream<Tx>) => Promise<T>): Promise<T>;
  /** The blocked streams, longest blocked first, at most 1000. */
  blocked(): Promise<readonly BlockedStream[]>;
  /** Whether the same work will succeed later by itself: the store is away, or was in conflict. */
  isTransient(error: unknown): boolean;
}
