import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Aggregate, DomainCommand, DomainEvent, Folded } from '#kernel';
import { assert, fold } from '#kernel';
import { beginCalls, type CallStarter, releaseCalls, withClaims } from './begun-calls.js';
import { StepConflict } from './conflict.js';
import { type EventRow, recordedEvent } from './event-row.js';
import type { LogStorage, SavedSaga, StreamRef } from './log-storage.js';
import { type KnownState, RecentSagas, RecentStreams } from './recent-streams.js';
import { Deferrals, ReactionFailed } from './reaction-failed.js';
import type { ReactedEvent, Reactions, StimulusRef } from './saga.js';
import type { Step } from './step.js';
import { StepBuilder } from './step-builder.js';
import type { LoadedSaga, LoadedStream, StepReads } from './step-reads.js';
import { domainEvent, type EventMetadata, type RecordedEvent, untraced } from './stream.js';
import { traceCommit } from './trace-commit.js';
import { type StoredEvent, UnknownEvent, upcast, type Upcasters } from './upcast.js';

/** The maximum number of attempts of a step that conflicts with other steps. */
const MAX_TRIES = 20;
/**
 * The maximum random pause before a step is decided again, so that conflicting steps are not all
 * decided again at the same time.
 */
const MAX_PAUSE_MS = 500;
/** The maximum number of events that a load reads at once, so that a long stream needs little memory. */
const MAX_READ_EVENTS = 1_000;

/** Pauses for a random wall time up to the maximum. */
const randomPause = async (atMostMs: number): Promise<void> => {
  await setTimeout(Math.random() * atMostMs);
};

/** Settings of an event store that may differ between processes. */
export interface EventStoreOwn {
  /** Waits for a random time of at most `atMostMs`. */
  readonly pause?: (atMostMs: number) => Promise<void>;
  /** The maximum number of streams, and of sagas, whose state is cached. */
  readonly maxCached?: number;
}

/** One attempt of a step. */
interface StepTry<T> {
  readonly metadata: EventMetadata;
  readonly work: (step: StepBuilder) => Promise<T> | T;
  readonly deferrals: Deferrals;
  readonly from: 'cache' | 'log' | 'log, last try';
}

/** Events of an aggregate, with the version of the last one. */
interface History {
  readonly version: number;
  readonly events: readonly DomainEvent[];
}

/** Events that release 0.2.0 and earlier releases recorded may have no trace context. */
const newestTrace = (events: readonly Partial<Pick<KnownState, 'traceparent'>>[]): string | null =>
  events.findLast(({ traceparent }) => typeof traceparent === 'string')?.traceparent ?? null;

/** An id with this prefix that is the same in each preview. */
const placeholderId = (prefix: string): string => `${prefix}_…`;

/** The event log: reads histories and commits steps. */
@Injectable()
export class EventStore {
  private readonly listeners: ((step: Step) => void)[] = [];
  private readonly recent: RecentStreams;
  private readonly recentSagas: RecentSagas;
  private readonly pause: (atMostMs: number) => Promise<void>;
  private starter: CallStarter | null = null;
  /** The number of times that the cached states were cleared. */
  private cleared = 0;

  /**
   * `reactions` are the sagas that react in each step. Null only for a store whose events no saga
   * reacts to.
   */
  constructor(
    private readonly storage: LogStorage,
    private readonly upcasters: Upcasters,
    private readonly reactions: Reactions | null,
    own: EventStoreOwn = {},
  ) {
    this.pause = own.pause ?? randomPause;
    this.recent = new RecentStreams(own.maxCached);
    this.recentSagas = new RecentSagas(own.maxCached);
  }

  /**
   * Runs `work`, which reads and decides; lets the sagas react to the decided events; then commits
   * everything or nothing. The first attempt decides on the cached states, and the commit compares
   * them with the log. After a conflict, or if the attempt on cached states did not lead to a
   * commit, `work` runs again on newly read states, at most `MAX_TRIES` times in all. `work` also
   * runs once more for each saga that fails to react; such a failure does not make the step fail.
   * The reactions that failed are committed with the step, for a retry.
   * @throws StepSuperseded, ReservationTaken, AlreadyAnswered, and whatever `work` throws;
   * StepConflict after the last attempt. After a lost connection it is unknown whether the step was
   * committed.
   */
  async step<T>(metadata: EventMetadata, work: (step: StepBuilder) => Promise<T> | T): Promise<T> {
    const deferrals = new Deferrals();
    const fromCache = await this.tryStep({ metadata, work, deferrals, from: 'cache' });
    if (fromCache !== 'again') return fromCache.result;
    for (let tries = 1; ; tries += 1) {
      const fresh = await this.tryStep({
        metadata,
        work,
        deferrals,
        from: tries >= MAX_TRIES ? 'log, last try' : 'log',
      });
      if (fresh !== 'again') return fresh.result;
      await this.pause(Math.min(2 ** tries, MAX_PAUSE_MS));
    }
  }

  /** One attempt, on cached states or on the current log. */
  private async tryStep<T>({
    metadata,
    work,
    deferrals,
    from,
  }: StepTry<T>): Promise<{ readonly result: T } | 'again'> {
    const { cleared } = this;
    const builder = this.builder(metadata, deferrals, from === 'cache');
    let result: T;
    try {
      result = await work(builder);
      await builder.react();
    } catch (error) {
      // A decision on an outdated cached state may be wrong, even if it is a rejection: decide
      // again on the log.
      if (builder.isUncertain) return 'again';
      if (error instanceof ReactionFailed && deferrals.note(error)) return 'again';
      throw error;
    }
    const built = builder.build();
    // If there is nothing to commit, no commit compares the cached states with the log: decide
    // again on the log.
    if (built === null) return builder.isUncertain ? 'again' : { result };
    const { starter } = this;
    const step = starter === null ? built : withClaims(built, starter);
    const startedMs = Date.now();
    let queued: readonly string[];
    try {
      queued = await this.storage.commit(step, () => this.cleared === cleared);
    } catch (error) {
      if (starter !== null) releaseCalls(step, starter, error);
      if (error instanceof StepConflict && from !== 'log, last try') return 'again';
      throw error;
    }
    traceCommit(step, startedMs);
    this.cache(builder, step);
    // The requests begin before the listeners are called, because a listener may throw: a request
    // that this process has claimed but does not begin would wait until the claim expires.
    if (starter !== null) beginCalls(step, starter, queued);
    for (const listener of this.listeners) listener(step);
    return { result };
  }

  /**
   * From now on this process begins the requests to the provider that its own steps request. If
   * this function was not called, the jobs of the requests wait for the workers.
   */
  beginCallsBy(starter: CallStarter): void {
    this.starter = starter;
  }

  /**
   * Retries the failed reactions of a saga instance. If a reaction fails again, this reaction and
   * all later reactions stay queued.
   */
  retryReactions(saga: string, key: string): Promise<void> {
    // The resulting events have the metadata of the event to which the saga reacts.
    const metadata = untraced(key, `retry of ${saga}`, `saga:${saga}`);
    return this.step(metadata, (step) => step.retryReactions(saga, key));
  }

  /**
   * Returns the step that `work` would commit now, decided on the current log; null if nothing
   * would be committed. Nothing is written and no other step is delayed. The ids that sagas create
   * are placeholders (`cap_…`), so that the previews of one step are equal. Throws what `work`
   * throws.
   */
  async preview(
    metadata: EventMetadata,
    work: (step: StepBuilder) => Promise<unknown>,
  ): Promise<Step | null> {
    const reactions = this.reactions && { ...this.reactions, newId: placeholderId };
    for (const deferrals = new Deferrals(); ;) {
      const builder = this.builder(metadata, deferrals, false, reactions);
      try {
        await work(builder);
        await builder.react();
        return builder.build();
      } catch (error) {
        if (!(error instanceof ReactionFailed) || !deferrals.note(error)) throw error;
      }
    }
  }

  /**
   * Calls `listener` after each step that this process has committed. The listener is only for
   * making a poller read earlier. Pollers must find the work without it, because there is no call
   * after a crash or for the commits of other processes.
   */
  onCommitted(listener: (step: Step) => void): void {
    this.listeners.push(listener);
  }

  /** Executes one command on one aggregate as a separate step. Returns the new state. */
  execute<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
    metadata: EventMetadata,
  ): Promise<State> {
    return this.step(metadata, (step) => step.execute(aggregate, id, command));
  }

  /** The current state of an aggregate, from its whole history. */
  async load<State>(aggregate: Folded<State>, id: string): Promise<KnownState<State>> {
    const { streamType, decider } = aggregate;
    let known: KnownState<State> = { version: 0, state: decider.initialState, traceparent: null };
    for (let isWhole = false; !isWhole;) {
      const stream = { streamType, streamId: id };
      const rows = await this.storage.history(stream, known.version, MAX_READ_EVENTS);
      const { version, events } = this.historyOf(stream, rows, known.version);
      const state = (events as readonly never[]).reduce(decider.evolve, known.state);
      known = { version, state, traceparent: newestTrace(rows) ?? known.traceparent };
      isWhole = rows.length < MAX_READ_EVENTS;
    }
    this.recent.set(aggregate, streamType, id, known);
    return known;
  }

  /**
   * The state of an aggregate from this process's cache. The state is read from the log if it is
   * not cached, or if the cached version is older than `leastVersion`. The aggregate may have
   * changed since the state was cached, so use the state only for facts that can never change.
   */
  async loadRecent<State>(
    aggregate: Folded<State>,
    id: string,
    leastVersion = 0,
  ): Promise<KnownState<State>> {
    const known = this.cached(aggregate, id);
    return known !== null && known.version >= leastVersion ? known : this.load(aggregate, id);
  }

  /** Like `loadRecent`, but null if the aggregate is not cached. */
  cached<State>(aggregate: Folded<State>, id: string): KnownState<State> | null {
    const known = this.recent.get(aggregate, aggregate.streamType, id);
    return known as KnownState<State> | null;
  }

  /**
   * Clears all cached states, and lets the steps in progress be decided again. After a failover or a
   * restore, the database may lack commits that these states and steps rest on. Its streams may have
   * other events with the same versions, and a commit compares only versions.
   */
  clearCache(): void {
    this.cleared += 1;
    this.recent.clear();
    this.recentSagas.clear();
  }

  /**
   * Reads many aggregates in one query and caches them, so that `loadRecent` and steps need no
   * further reads. Read at most a few hundred, because the cache is limited. An aggregate that only
   * a newer release can read is skipped, so that the other aggregates can be used.
   */
  async recall<State>(aggregate: Folded<State>, ids: readonly string[]): Promise<void> {
    const { streamType, decider } = aggregate;
    const streams = ids.map((streamId) => ({ streamType, streamId }));
    const rows = await this.storage.readStreams(streams, null);
    const histories = new Map<string, EventRow[]>();
    for (const row of rows) {
      const own = histories.get(row.stream_id);
      if (own === undefined) histories.set(row.stream_id, [row]);
      else own.push(row);
    }
    for (const [id, own] of histories) {
      try {
        const { version, events } = this.historyOf({ streamType, streamId: id }, own);
        const state = fold(decider, events as readonly never[]);
        const traceparent = newestTrace(own.map(({ metadata }) => metadata));
        const known = { version, state, traceparent };
        this.recent.set(aggregate, streamType, id, known);
      } catch (error) {
        if (!(error instanceof UnknownEvent)) throw error;
      }
    }
  }

  /** The events of several streams, in the order of the log; with a limit only the first ones. */
  async readStreams(
    streams: readonly StreamRef[],
    limit: number | null = null,
  ): Promise<readonly RecordedEvent[]> {
    const rows = await this.storage.readStreams(streams, limit);
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  /** At most `limit` events of a stream after `version`. */
  async readStream(
    stream: StreamRef,
    afterVersion: number,
    limit: number,
  ): Promise<readonly RecordedEvent[]> {
    const rows = await this.storage.readStream(stream, afterVersion, limit);
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  /**
   * The holders of the given names in the scope; a name that is not reserved is missing in the map.
   */
  holdersOf(scope: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.storage.holdersOf(scope, keys);
  }

  /** Reads the last saved state of a saga instance. */
  loadSaga(saga: string, key: string): Promise<SavedSaga> {
    return this.storage.loadSaga(saga, key);
  }

  private builder(
    metadata: EventMetadata,
    deferrals: Deferrals,
    fromMemory: boolean,
    reactions = this.reactions,
  ): StepBuilder {
    const reads: StepReads = {
      stream: (aggregate, id) => this.loadStream(aggregate, id, fromMemory),
      saga: (saga, key) => this.readSaga(saga, key, fromMemory),
      event: (ref) => this.reactedEvent(ref),
    };
    return new StepBuilder(metadata, reads, reactions, deferrals);
  }

  private async readSaga(saga: string, key: string, fromMemory: boolean): Promise<LoadedSaga> {
    const known = fromMemory ? this.recentSagas.get(saga, key) : null;
    if (known !== null) return { ...known, certain: false };
    const saved = await this.loadSaga(saga, key);
    if (saved.version > 0) this.recentSagas.set(saga, key, saved);
    return { ...saved, certain: true };
  }

  private async reactedEvent({
    streamType,
    streamId,
    version,
  }: StimulusRef & { readonly from: 'event' }): Promise<ReactedEvent> {
    const [event] = await this.readStream({ streamType, streamId }, version - 1, 1);
    assert(event?.version === version, `the log has version ${version} of ${streamId}`);
    return event;
  }

  private async loadStream<State>(
    aggregate: Folded<State>,
    id: string,
    fromMemory: boolean,
  ): Promise<LoadedStream> {
    const known = fromMemory ? this.recent.get(aggregate, aggregate.streamType, id) : null;
    if (known !== null) return { ...known, certain: false };
    return { ...(await this.load(aggregate, id)), certain: true };
  }

  private cache(builder: StepBuilder, { sagas }: Step): void {
    for (const { saga, key, expectedVersion, write } of sagas) {
      if (write === null) continue;
      const { state, done, waiting } = write;
      this.recentSagas.set(saga, key, { version: expectedVersion + 1, state, done, waiting });
    }
    for (const { by, streamType, streamId, ...known } of builder.outcome()) {
      this.recent.set(by, streamType, streamId, known);
    }
  }

  /** The events after `before`, the version of the last event before them. */
  private historyOf(stream: StreamRef, rows: readonly StoredEvent[], before = 0): History {
    const version = rows.at(-1)?.version ?? before;
    const { streamType, streamId } = stream;
    assert(version === before + rows.length, `the stream ${streamType} ${streamId} has no gaps`);
    const events = rows.map((row) => domainEvent(upcast(this.upcasters, stream, row)));
    return { version, events };
  }
}
