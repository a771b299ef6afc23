import type { StreamType } from '#kernel';
import { LRUCache } from 'lru-cache';
import type { SavedSaga } from './log-storage.js';

/** The state of an aggregate after `version` events. */
export interface KnownState<State = unknown> {
  readonly version: number;
  readonly state: State;
  /** The newest trace context in the events of the stream; null if none of them has one. */
  readonly traceparent: string | null;
}

interface Entry extends KnownState {
  /**
   * The aggregate definition with which the state was computed. A step with a different aggregate
   * definition for the same stream type does not use this state, and reads the stream.
   */
  readonly by: object;
  /** The estimated size of the state at version `sizedAt`, in bytes. */
  readonly size: number;
  readonly sizedAt: number;
}

/** The maximum number of cached streams: a state takes a few kilobytes. */
const MAX_STREAMS = 5_000;
/**
 * The maximum size of the cached states, as estimated: the state of an order with the largest
 * allowed metadata needs about thirty kilobytes. A state may have grown since its estimate, to about
 * twice its size.
 */
const MAX_BYTES = 24 * 1_024 * 1_024;

/**
 * An estimate of the memory that a state needs. A state consists of plain objects, lists and texts.
 */
const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 16;
  for (const part of Object.values(value)) bytes += 8 + bytesOf(part);
  return bytes;
};

/** 200 bytes are for the entry itself and the trace context. */
const sizeOf = ({ state }: { readonly state: unknown }): number => 200 + bytesOf(state);

/**
 * The states of the streams that this process has read or written recently. Other processes may
 * have appended events to a stream since, so a cached state is used only for decisions whose commit
 * compares the stream's version.
 */
export class RecentStreams {
  private readonly entries: LRUCache<string, Entry>;

  constructor(maxStreams = MAX_STREAMS) {
    this.entries = new LRUCache<string, Entry>({
      max: maxStreams,
      maxSize: MAX_BYTES,
      sizeCalculation: ({ size }) => size,
    });
  }

  get(by: object, streamType: StreamType, streamId: string): Entry | null {
    const entry = this.entries.get(`${streamType} ${streamId}`);
    return entry?.by === by ? entry : null;
  }

  clear(): void {
    this.entries.clear();
  }

  set(by: object, streamType: StreamType, streamId: string, known: KnownState): void {
    const { version } = known;
    const present = this.get(by, streamType, streamId);
    // An older version, which a step that began earlier may add, does not replace a newer version.
    if (present !== null && present.version > version) return;
    // The size is estimated again each time the number of events has doubled, because an estimate
    // for each version took as long as a decision.
    const { size, sizedAt } =
      present !== null && version <= 2 * present.sizedAt
        ? present
        : { size: sizeOf(known), sizedAt: version };
    this.entries.set(`${streamType} ${streamId}`, { ...known, by, size, sizedAt });
  }
}

/**
 * The maximum number of cached sagas. It is smaller than that of streams, because webhooks about past
 * statuses, which come after the payment, read only streams.
 */
const MAX_SAGAS = 2_000;

const sagaKey = (saga: string, key: string): string => `${saga} ${key}`;

/**
 * The sagas that this process has saved recently. As with streams, the commit compares the version
 * of a cached state.
 */
export class RecentSagas {
  private readonly entries: LRUCache<string, SavedSaga>;

  constructor(maxSagas = MAX_SAGAS) {
    this.entries = new LRUCache<string, SavedSaga>({
      max: maxSagas,
      maxSize: MAX_BYTES,
      sizeCalculation: sizeOf,
    });
  }

  get(saga: string, key: string): SavedSaga | null {
    return this.entries.get(sagaKey(saga, key)) ?? null;
  }

  clear(): void {
    this.entries.clear();
  }

  set(saga: string, key: string, saved: SavedSaga): void {
    const present = this.get(saga, key);
    if (present !== null && present.version > saved.version) return;
    this.entries.set(sagaKey(saga, key), saved);
  }
}
