import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '#kernel';
import type { LogReader } from '#log';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { ProjectionRunner } from './projection-runner.js';
import { columnsOf, cursorNameOf, type Projection, tablesOf } from './projection.js';

/** Thrown if another process is rebuilding the same projection. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';
}

const SIDE = '_rebuild';
const sideOf = (table: string): string => `${table}${SIDE}`;

/**
 * How long the replacement waits for the transactions that read the current table. Meanwhile every
 * other statement on the table waits behind the replacement. It is longer than PostgreSQL's
 * `deadlock_timeout`, after which PostgreSQL cancels an autovacuum of the table.
 */
const LOCKED_WITHIN_MS = 2_000;
/** The pause before the next attempt to replace the table. */
const SWAPPED_AGAIN_AFTER_MS = 15 * SECOND_MS;

/** SQLSTATE of a lock that was not granted in time, and of a deadlock. */
const NOT_LOCKED: ReadonlySet<unknown> = new Set(['55P03', '40P01']);
const isNotLocked = (error: unknown): boolean =>
  error instanceof DatabaseError && NOT_LOCKED.has(error.code);

/** Replaces the current tables; if a transaction that reads one takes too long, nothing changes. */
const swap = async (
  client: PoolClient,
  tables: readonly string[],
  names: readonly string[],
): Promise<void> => {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCKED_WITHIN_MS}`);
    await client.query('SELECT end_rebuild($1)', [tables]);
    await client.query('DELETE FROM log_cursors WHERE name = $1', [names[0]]);
    await client.query('UPDATE log_cursors SET name = $1 WHERE name = $2', [...names]);
    await client.query('DELETE FROM blocked_streams WHERE reader = $1', [names[0]]);
    await client.query('UPDATE blocked_streams SET reader = $1 WHERE reader = $2', [...names]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
};

interface RebuildOptions {
  /** Receives the number of events that were processed so far. */
  readonly onProgress?: (events: number) => void;
  /** Is called after each attempt to replace the current table that a transaction prevented. */
  readonly onDelayed?: (error: unknown) => void;
  /** Ends only the wait for such a transaction, with the error of the last attempt. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Rebuilds a projection from the whole log, in short chunks and in a new table, which then replaces
 * the current table. Readers use the current table until it is replaced; workers may run during the
 * rebuild. While a transaction keeps the current table from being replaced, the new table follows
 * the log.
 * @throws RebuildUnderWay if another process is rebuilding the projection; DatabaseError with the
 * SQLSTATE P0001 if a newer release has added columns that this process does not write.
 */
export const rebuildProjection = async (
  pool: Pool,
  reader: LogReader,
  projection: Projection,
  { onProgress, onDelayed, signal }: RebuildOptions = {},
): Promise<{ readonly events: number }> => {
  const { name: table } = projection;
  const tables = tablesOf(projection);
  const cursorName = cursorNameOf({ name: sideOf(table) });
  const client = await pool.connect();
  try {
    const lock = await client.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
      [cursorName],
    );
    if (lock.rows[0]?.locked !== true)
      throw new RebuildUnderWay(`another process is rebuilding ${table}: wait until it is done`);
    await client.query('SELECT begin_rebuild_of_columns($1, $2)', [tables, columnsOf(projection)]);
    await client.query('DELETE FROM log_cursors WHERE name = $1', [cursorName]);
    await client.query('DELETE FROM blocked_streams WHERE reader = $1', [cursorName]);
    const runner = new ProjectionRunner(pool, reader, [projection], { suffix: SIDE });
    for (let events = 0; ;) {
      for (let taken = await runner.round(); taken > 0; taken = await runner.round()) {
        events += taken;
        onProgress?.(events);
      }
      try {
        await swap(client, tables, [cursorNameOf(projection), cursorName]);
        return { events };
      } catch (error) {
        if (!isNotLocked(error) || signal?.aborted === true) throw error;
        onDelayed?.(error);
      }
      await sleep(SWAPPED_AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    // Closing the connection would release the lock, too, but slightly later, and until then the
    // next rebuild would be rejected.
    await client.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
    client.release(true);
  }
};
