import type { Pool } from 'pg';
import type { StreamType } from '#kernel';
import { EVENT_COLUMNS, type EventRow } from './event-row.js';
import { GroupCommitter } from './group-committer.js';
import type { WaitingReactions } from './saga.js';
import type { Step } from './step.js';
import type { TracedEvent } from './upcast.js';
import { Wakes } from './wakes.js';

export interface StreamRef {
  readonly streamType: StreamType;
  readonly streamId: string;
}

/**
 * The last saved state of a saga instance. Before its first save the version is 0 and the state
 * `null`.
 */
export interface SavedSaga {
  readonly version: number;
  readonly state: unknown;
  readonly done: boolean;
  readonly waiting: WaitingReactions | null;
}

export const NEW_SAGA: SavedSaga = { version: 0, state: null, done: false, waiting: null };

/** The storage operations that the event store needs. */
export interface LogStorage {
  /**
   * Commits the whole step or nothing. Resolves to the keys of the jobs that the step could not
   * claim: a job must wait if an earlier job of its subject is open, or if its account is being
   * read after a database restore. @throws StepConflict, StepSuperseded, ReservationTaken,
   * AlreadyAnswered, DatabaseBusy. After any other error it is unknown whether the step was
   * committed. `isCurrent`: whether the log that the step rests on has not been restored since. A
   * step that is not current conflicts.
   */
  commit(step: Step, isCurrent?: () => boolean): Promise<readonly string[]>;
  /** What a state is computed from: a stream's events after `version`, at most `limit`. */
  history(stream: StreamRef, afterVersion: number, limit: number): Promise<readonly TracedEvent[]>;
  /** The events of several streams, in the order of the log; with a limit only the first ones. */
  readStreams(streams: readonly StreamRef[], limit: number | null): Promise<readonly EventRow[]>;
  /** A stream's events after `version`, at most `limit`. */
  readStream(stream: StreamRef, afterVersion: number, limit: number): Promise<readonly EventRow[]>;
  /**
   * The holders of the given names in the scope; a name that is not reserved is missing in the map.
   */
  holdersOf(scope: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  loadSaga(saga: string, key: string): Promise<SavedSaga>;
}

/** The log in PostgreSQL. Steps that queue at the same time are committed together. */
export class PostgresLog implements LogStorage {
  private readonly committer: GroupCommitter;

  /** `wakes` notifies other processes of commits; null: no other process is notified. */
  constructor(
    private readonly pool: Pool,
    wakes = new Wakes(),
  ) {
    this.committer = new GroupCommitter(pool, wakes);
  }

  commit(step: Step, isCurrent?: () => boolean): Promise<readonly string[]> {
    return this.committer.commit(step, isCurrent);
  }

  async history(
    { streamType, streamId }: StreamRef,
    afterVersion: number,
    limit: number,
  ): Promise<readonly TracedEvent[]> {
    const { rows } = await this.pool.query<TracedEvent>({
      name: 'history',
      text: `SELECT version, type, schema_version, data,
                    metadata ->> 'traceparent' AS traceparent
               FROM events
              WHERE stream_type = $1 AND stream_id = $2 AND version > $3
              ORDER BY version LIMIT $4`,
      values: [streamType, streamId, afterVersion, limit],
    });
    return rows;
  }

  async readStreams(
    streams: readonly StreamRef[],
    limit: number | null,
  ): Promise<readonly EventRow[]> {
    const { rows } = await this.pool.query<EventRow>({
      name: 'read-streams',
      // LIMIT, even if it is NULL, forces one index lookup for each stream. Without it, PostgreSQL
      // could keep a plan that was made while the log was empty; such a plan reads the whole log at
      // each call.
      text: `SELECT e.* FROM (
               SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS asked(type, id)
              CROSS JOIN LATERAL (
               SELECT ${EVENT_COLUMNS} FROM events
                WHERE stream_type = asked.type AND stream_id = asked.id
                ORDER BY version LIMIT $3) AS e
              ORDER BY epoch, transaction_id, position LIMIT $3`,
      values: [streams.map((ref) => ref.streamType), streams.map((ref) => ref.streamId), limit],
    });
    return rows;
  }

  async readStream(
    { streamType, streamId }: StreamRef,
    afterVersion: number,
    limit: number,
  ): Promise<readonly EventRow[]> {
    const { rows } = await this.pool.query<EventRow>({
      name: 'read-stream',
      text: `SELECT ${EVENT_COLUMNS} FROM events
              WHERE stream_type = $1 AND stream_id = $2 AND version > $3
              ORDER BY version LIMIT $4`,
      values: [streamType, streamId, afterVersion, limit],
    });
    return rows;
  }

  async holdersOf(scope: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ key: string; holder: string }>({
      name: 'holders-of',
      text: 'SELECT key, holder FROM reservations WHERE scope = $1 AND key = ANY ($2::text[])',
      values: [scope, keys],
    });
    return new Map(rows.map(({ key, holder }) => [key, holder]));
  }

  async loadSaga(saga: string, key: string): Promise<SavedSaga> {
    const { rows } = await this.pool.query<SavedSaga>({
      name: 'load-saga',
      text: 'SELECT version, state, done, waiting FROM sagas WHERE saga = $1 AND key = $2',
      values: [saga, key],
    });
    return rows[0] ?? NEW_SAGA;
  }
}
