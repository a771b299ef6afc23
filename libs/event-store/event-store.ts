import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { DomainCommand, DomainEvent } from '#kernel';
import { assert, fold } from '#kernel';
import { Pool } from 'pg';
import type { Aggregate } from './aggregate.js';
import { StepConflict } from './conflict.js';
import { EVENT_COLUMNS, type EventRow, recordedEvent, type Upcasters } from './event-row.js';
import { GroupCommitter } from './group-committer.js';
import type { Step } from './step.js';
import { type History, StepBuilder } from './step-builder.js';
import type { EventMetadata, RecordedEvent, StreamType } from './stream.js';

/** How often a step is read and decided again when others were faster. */
const MAX_TRIES = 12;
/** Losers of one race pause for random times, so that they do not all meet again. */
const WIDEST_PAUSE_MS = 100;

export interface StreamRef {
  readonly streamType: StreamType;
  readonly streamId: string;
}

/** A saga's state as it was saved last; version 0 and `null` before the first time. */
export interface SavedSaga {
  readonly version: number;
  readonly state: unknown;
}

/** The event log: histories in, steps out. */
@Injectable()
export class EventStore {
  private readonly committer: GroupCommitter;
  private readonly listeners: ((step: Step) => void)[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly upcasters: Upcasters,
  ) {
    this.committer = new GroupCommitter(pool);
  }

  /**
   * Reads and decides in `work`, then commits what it gathered, all or nothing. On a conflict
   * `work` runs again from fresh reads, at most `MAX_TRIES` times.
   *
   * @throws StepSuperseded, ReservationTaken, AlreadyAnswered, and whatever `work` throws;
   *   StepConflict when the bound is reached. After a lost connection the outcome is not known.
   */
  async step<T>(metadata: EventMetadata, work: (step: StepBuilder) => Promise<T> | T): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const builder = new StepBuilder(metadata, (type, id) => this.history(type, id));
      const result = await work(builder);
      const step = builder.build();
      if (step === null) return result;
      try {
        await this.committer.commit(step);
        for (const listener of this.listeners) listener(step);
        return result;
      } catch (error) {
        if (!(error instanceof StepConflict) || tries === MAX_TRIES) throw error;
        await setTimeout(Math.random() * Math.min(2 ** tries, WIDEST_PAUSE_MS));
      }
    }
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
    const { version, events } = await this.history(aggregate.streamType, id);
    return { version, state: fold(aggregate.decider, events as readonly Event[]) };
  }

  /** The events of some streams together, in the order of the log. */
  async readStreams(streams: readonly StreamRef[]): Promise<readonly RecordedEvent[]> {
    const { rows } = await this.pool.query<EventRow>({
      name: 'read-streams',
      text: `SELECT ${EVENT_COLUMNS} FROM events
              WHERE (stream_type, stream_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
              ORDER BY epoch, transaction_id, position`,
      values: [streams.map((ref) => ref.streamType), streams.map((ref) => ref.streamId)],
    });
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  /** A stream's events after `version`, at most `limit`. */
  async readStream(
    { streamType, streamId }: StreamRef, afterVersion: number, limit: number,
  ): Promise<readonly RecordedEvent[]> {
    const { rows } = await this.pool.query<EventRow>({
      name: 'read-stream',
      text: `SELECT ${EVENT_COLUMNS} FROM events
              WHERE stream_type = $1 AND stream_id = $2 AND version > $3
              ORDER BY version LIMIT $4`,
      values: [streamType, streamId, afterVersion, limit],
    });
    return rows.map((row) => recordedEvent(row, this.upcasters));
  }

  async loadSaga(saga: string, key: string): Promise<SavedSaga> {
    const { rows } = await this.pool.query<SavedSaga>({
      name: 'load-saga',
      text: 'SELECT version, state FROM sagas WHERE saga = $1 AND key = $2',
      values: [saga, key],
    });
    return rows[0] ?? { version: 0, state: null };
  }

  private async history(streamType: StreamType, streamId: string): Promise<History> {
    const { rows } = await this.pool.query<EventRow>({
      name: 'history',
      text: `SELECT version, type, schema_version, data FROM events
              WHERE stream_type = $1 AND stream_id = $2 ORDER BY version`,
      values: [streamType, streamId],
    });
    const version = rows.at(-1)?.version ?? 0;
    assert(version === rows.length, `the stream ${streamType} ${streamId} has no gaps`);
    const events = rows.map((row): DomainEvent => {
      const lifts = this.upcasters[row.type]?.slice(row.schema_version - 1) ?? [];
      return { ...lifts.reduce((data, lift) => lift(data), row.data), type: row.type };
    });
    return { version, events };
  }
}
