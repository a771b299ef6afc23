import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { DomainCommand, DomainEvent } from '#kernel';
import { assert, fold } from '#kernel';
import type { Aggregate } from './aggregate.js';
import { StepConflict } from './conflict.js';
import { type EventRow, recordedEvent, type Upcasters } from './event-row.js';
import type { LogStorage, SavedSaga, StoredEvent, StreamRef } from './log-storage.js';
import { type KnownState, RecentSagas, RecentStreams } from './recent-streams.js';
import type { Step } from './step.js';
import { type LoadedStream, StepBuilder, type StepReads } from './step-builder.js';
import type { EventMetadata, RecordedEvent, StreamType } from './stream.js';

/** How often a step is read and decided again when others were faster. */
const MAX_TRIES = 20;
/** Losers of one race pause for random times, so that they do not all meet again. */
const WIDEST_PAUSE_MS = 500;

/** A random pause of at most so many milliseconds of wall time. */
const randomPause = async (atMostMs: number): Promise<void> => {
  await setTimeout(Math.random() * atMostMs);
};

/** What a process has for itself, where it is not the usual. */
export interface EventStoreOwn {
  /** Waits for a random time of at most so many milliseconds. */
  readonly pause?: (atMostMs: number) => Promise<void>;
  /** How many streams it remembers. */
  readonly maxRemembered?: number;
}

/** An aggregate's history. */
interface History {
  readonly version: number;
  readonly events: readonly DomainEvent[];
}

/** The event log: histories in, steps out. */
@Injectable()
export class EventStore {
  private readonly listeners: ((step: Step) => void)[] = [];
  private readonly recent: RecentStreams;
  private readonly recentSagas = new RecentSagas();
  private readonly pause: (atMostMs: number) => Promise<void>;

  constructor(
    private readonly storage: LogStorage,
    private readonly upcasters: Upcasters,
    own: EventStoreOwn = {},
  ) {
    this.pause = own.pause ?? randomPause;
    this.recent = new RecentStreams(own.maxRemembered);
  }

  /**
   * Reads and decides in `work`, then commits what it gathered, all or nothing. The first time it
   * decides on the states that this process remembers, which the commit compares with the log. On a
   * conflict, and wherever a remembered state has led to no commit, `work` runs again from fresh
   * reads, at most `MAX_TRIES` times.
   *
   * @throws StepSuperseded, ReservationTaken, AlreadyAnswered, and whatever `work` throws;
   *   StepConflict when the bound is reached. After a lost connection the outcome is not known.
   */
  async step<T>(metadata: EventMetadata, work: (step: StepBuilder) => Promise<T> | T): Promise<T> {
    const remembered = await this.tryStep(metadata, work, true);
    if (remembered !== 'again') return remembered.result;
    for (let tries = 1; ; tries += 1) {
      const fresh = await this.tryStep(metadata, work, false, tries === MAX_TRIES);
      if (fresh !== 'again') return fresh.result;
      await this.pause(Math.min(2 ** tries, WIDEST_PAUSE_MS));
    }
  }

  /** One try, on states that this process remembers or on what the log says now. */
  private async tryStep<T>(
    metadata: EventMetadata, work: (step: StepBuilder) => Promise<T> | T, fromMemory: boolean,
    isLast = false,
  ): Promise<{ readonly result: T } | 'again'> {
    const builder = new StepBuilder(metadata, this.reads(fromMemory));
    let result: T;
    try {
      result = await work(builder);
    } catch (error) {
      // What was decided on a remembered state may be wrong: also that it cannot be.
      if (builder.isUncertain) return 'again';
      throw error;
    }
    const step = builder.build();
    // Without a commit nothing has compared what was remembered.
    if (step === null) return builder.isUncertain ? 'again' : { result };
    if (!builder.isCompared) return 'again';
    try {
      await this.storage.commit(step);
    } catch (error) {
      if (error instanceof StepConflict && !isLast) return 'again';
      throw error;
    }
    this.remember(builder, step);
    for (const listener of this.listeners) listener(step);
    return { result };
  }

  /**
   * What `step` would commit with this work, decided on what the log says now; null for nothing.
   * Nothing is written, and nobody is kept from writing meanwhile. Throws what `work` throws.
   */
  async preview(
    metadata: EventMetadata, work: (step: StepBuilder) => Promise<unknown>,
  ): Promise<Step | null> {
    const builder = new StepBuilder(metadata, this.reads(false));
    await work(builder);
    return builder.build();
  }

  /**
   * Calls `listener` after each step that this process has committed. It only spares those who
   * look for work a wait: after a crash, and for other processes, the look itself must do.
   */
  onCommitted(listener: (step: Step) => void): void {
    this.listeners.push(listener);
  }

  /** One command on one aggregate, as a step of its own. Answers the new state. */
  execute<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
    metadata: EventMetadata,
  ): Promise<State> {
    return this.step(metadata, (step) => step.execute(aggregate, id, command));
  }

  /** The aggregate as its whole history tells it, always current. */
  async load<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
  ): Promise<{ readonly state: State; readonly version: number }> {
    const { streamType, decider } = aggregate;
    const { version, events } = await this.history(streamType, id);
    const known = { version, state: fold(decider, events as readonly Event[]) };
    this.recent.set(aggregate, streamType, id, known);
    return known;
  }

  /**
   * The aggregate as this process knew it last, or as the log tells it when it knew nothing, or
   * less than `leastVersion`. It may have gone on since: only for what stays true when it does.
   */
  async loadRecent<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    leastVersion = 0,
  ): Promise<KnownState<State>> {
    const known = this.recent.get(aggregate, aggregate.streamType, id);
    const isEnough = known !== null && known.version >= leastVersion;
    return isEnough ? (known as KnownState<State>) : this.load(aggregate, id);
  }

  /**
   * Reads many aggregates at once and remembers them: `loadRecent` of them, and steps on them, then
   * need no reading of their own. At most a few hundred, as the process remembers only so many.
   */
  async recall<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    ids: readonly string[],
  ): Promise<void> {
    const { streamType, decider } = aggregate;
    const streams = ids.map((streamId) => ({ streamType, streamId }));
    const rows = await this.storage.readStreams(streams);
    const histories = new Map<string, EventRow[]>();
    for (const row of rows) {
      const own = histories.get(row.stream_id);
      if (own === undefined) histories.set(row.stream_id, [row]);
      else own.push(row);
    }
    for (const [id, own] of histories) {
      const { version, events } = this.historyOf(streamType, id, own);
      const known = { version, state: fold(decider, events as readonly Event[]) };
      this.recent.set(aggregate, streamType, id, known);
    }
  }

  /** The events of some streams together, in the order of the log. */
  async readStreams(streams: readonly StreamRef[]): Promise<readonly RecordedEvent[]> {
    const rows = await this.storage.readStreams(streams);
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  /** A stream's events after `version`, at most `limit`. */
  async readStream(
    stream: StreamRef, afterVersion: number, limit: number,
  ): Promise<readonly RecordedEvent[]> {
    const rows = await this.storage.readStream(stream, afterVersion, limit);
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  /** Who has each of these names of a scope; a name that nobody has is left out. */
  holdersOf(scope: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.storage.holdersOf(scope, keys);
  }

  /** A saga's state as it was saved last, read now. */
  loadSaga(saga: string, key: string): Promise<SavedSaga> {
    return this.storage.loadSaga(saga, key);
  }

  private reads(fromMemory: boolean): StepReads {
    return {
      stream: (aggregate, id, leastVersion) =>
        this.loadStream(aggregate, id, fromMemory ? leastVersion : null),
      saga: async (saga, key) => {
        const known = fromMemory ? this.recentSagas.get(saga, key) : null;
        if (known !== null) return { ...known, certain: false };
        return { ...(await this.loadSaga(saga, key)), certain: true };
      },
    };
  }

  /** `leastVersion`: what is remembered must be as long; `null`: nothing remembered will do. */
  private async loadStream<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>, id: string, leastVersion: number | null,
  ): Promise<LoadedStream> {
    if (leastVersion !== null) {
      const known = this.recent.get(aggregate, aggregate.streamType, id);
      if (known !== null && known.version >= leastVersion) return { ...known, certain: false };
    }
    return { ...(await this.load(aggregate, id)), certain: true };
  }

  private remember(builder: StepBuilder, { saga: written }: Step): void {
    if (written !== null) {
      const { saga, key, expectedVersion, state } = written;
      this.recentSagas.set(saga, key, { version: expectedVersion + 1, state });
    }
    for (const { by, streamType, streamId, ...known } of builder.outcome()) {
      this.recent.set(by, streamType, streamId, known);
    }
  }

  private async history(streamType: StreamType, streamId: string): Promise<History> {
    return this.historyOf(streamType, streamId, await this.storage.history({ streamType, streamId }));
  }

  private historyOf(
    streamType: StreamType, streamId: string, rows: readonly StoredEvent[],
  ): History {
    const version = rows.at(-1)?.version ?? 0;
    assert(version === rows.length, `the stream ${streamType} ${streamId} has no gaps`);
    const events = rows.map((row): DomainEvent => {
      const lifts = this.upcasters[row.type]?.slice(row.schema_version - 1) ?? [];
      return { ...lifts.reduce((data, lift) => lift(data), row.data), type: row.type };
    });
    return { version, events };
  }
}
