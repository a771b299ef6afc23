import { createDatabase, specPool } from '#testing';
import type { Pool } from 'pg';
import { migrateBefore } from '../../../migrations/orchestrator/migrate-before.fixture.js';

/** The first migration of the release whose workflows consume no topics. */
const FIRST_OF_TODAY = 'StopOldCommits1760000000299';

/** An event as the release before wrote it. */
export interface OldEvent {
  readonly streamType: string;
  readonly streamId: string;
  readonly version: number;
  readonly type: string;
  readonly data: object;
  /** Null: the event has none. */
  readonly correlationId: string | null;
}

/** The arguments of the old `commit_steps` for a step that only appends events. */
const argumentsOf = (events: readonly OldEvent[], lock: number): unknown[] => {
  const rows = events.map(({ streamType, streamId, version, type, data, correlationId }) => ({
    s: 0, stream_type: streamType, stream_id: streamId, version, event_id: crypto.randomUUID(),
    type, schema_version: 1, data,
    metadata: {
      ...(correlationId !== null && { correlationId }),
      causationId: 'spec', actor: 'platform:shop', traceparent: null,
    },
  }));
  return [[lock], null, JSON.stringify(rows), ...Array.from({ length: 9 }, () => null)];
};

const OLD_COMMIT = `SELECT commit_steps(${
  Array.from({ length: 12 }, (_, index) => `$${index + 1}`).join(', ')})`;

/** A database as the release before left it, and what its processes did to it. */
export class ReleaseBefore {
  private constructor(
    readonly url: string,
    readonly pool: Pool,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(): Promise<ReleaseBefore> {
    const database = await createDatabase();
    const pool = specPool(database.url);
    const before = new ReleaseBefore(database.url, pool, () => database.drop());
    await before.migrate(FIRST_OF_TODAY);
    return before;
  }

  /** Commits a step as an old process does, in a transaction of its own. */
  async commit(events: readonly OldEvent[], lock = 1): Promise<void> {
    await this.pool.query(OLD_COMMIT, argumentsOf(events, lock));
  }

  async rows<Row extends object>(sql: string, ...values: unknown[]): Promise<readonly Row[]> {
    return (await this.pool.query<Row>(sql, values)).rows;
  }

  /** Runs all migrations that are left, or those before this one, each in its own transaction. */
  migrate(before?: string): Promise<void> {
    return migrateBefore(this.url, before);
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.drop();
  }
}
