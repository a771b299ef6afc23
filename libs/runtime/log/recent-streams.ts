import type { StreamType } from '#kernel';
import { LRUCache } from 'lru-cache';
import type { SavedSaga } from './log-storage.js';

/** An aggregate as it was after `version` events. */
export interface KnownState<State = unknown> {
  readonly version: number;
  readonly state: State;
}

interface Entry extends KnownState {
  /** What folded the state: another aggregate of the same stream type reads for itself. */
  readonly by: object;
}

/** A state is a few kilobytes; with the largest metadata that an order may have, about thirty. */
const MAX_STREAMS = 5_000;

/**
 * The streams that this process has read or written last. They may have grown since in another
 * process: good enough to decide on when the commit compares the version, and for nothing else.
 */
export class RecentStreams {
  private readonly entries: LRUCache<string, Entry>;

  constructor(maxStreams = MAX_STREAMS) {
    this.entries = new LRUCache({ max: maxStreams });
  }

  get(by: object, streamType: StreamType, streamId: string): KnownState | null {
    const entry = this.entries.get(`${streamType} ${streamId}`);
    return entry?.by === by ? entry : null;
  }

  set(by: object, streamType: StreamType, streamId: string, known: KnownState): void {
    const { version, state } = known;
    const present = this.get(by, streamType, streamId);
    // A step that began earlier may end later.
    if (present !== null && present.version > version) return;
    this.entries.set(`${streamType} ${streamId}`, { by, version, state });
  }
}

/** A saga's state holds the terms of its order: as large as the order's own. */
const MAX_SAGAS = MAX_STREAMS;

const sagaKey = (saga: string, key: string): string => `${saga} ${key}`;

/** The sagas that this process has saved last; as with streams, the commit compares the version. */
export class RecentSagas {
  private readonly entries = new LRUCache<string, SavedSaga>({ max: MAX_SAGAS });

  get(saga: string, key: string): SavedSaga | null {
    return this.entries.get(sagaKey(saga, key)) ?? null;
  }

  set(saga: string, key: string, saved: SavedSaga): void {
    const present = this.get(saga, key);
    if (present !== null && present.version > saved.version) return;
    this.entries.set(sagaKey(saga, key), saved);
  }
}
