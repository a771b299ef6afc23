import type { Folded } from '#kernel';
import type { SavedSaga } from './log-storage.js';
import type { KnownState } from './recent-streams.js';
import type { ReactedEvent, StimulusRef } from './saga.js';

/**
 * An aggregate as it was read; `certain` if the state was read for this step, and not taken from
 * the cache.
 */
export interface LoadedStream extends KnownState {
  readonly certain: boolean;
}

/**
 * A saga as it was read; `certain` if the state was read for this step, and not taken from the
 * cache.
 */
export interface LoadedSaga extends SavedSaga {
  readonly certain: boolean;
}

/** The source from which a step reads streams and sagas. */
export interface StepReads {
  readonly stream: <State>(aggregate: Folded<State>, streamId: string) => Promise<LoadedStream>;
  readonly saga: (saga: string, key: string) => Promise<LoadedSaga>;
  /** Reads an event that was queued for a retry. */
  readonly event: (ref: StimulusRef & { readonly from: 'event' }) => Promise<ReactedEvent>;
}
