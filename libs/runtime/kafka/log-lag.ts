import type { Pool } from 'pg';

/** At most this number of unread events is counted, because counting more is expensive. */
export const LAG_COUNTED_EVENTS = 10_000;

/** The part of the log that a log consumer has not read yet. */
export interface LogLag {
  /** At most `LAG_COUNTED_EVENTS`. */
  readonly events: number;
  /** The age in seconds of the oldest unread event. */
  readonly seconds: number;
}

/** The oldest transaction for which the log consumers wait. */
export interface OldestTransaction {
  /** The application and the database of the transaction. */
  readonly holder: string;
  readonly seconds: number;
}

const UNREAD = `
  SELECT count(*)::int AS events,
         coalesce(extract(epoch FROM clock_timestamp() - min(recorded_at)), 0)::float8 AS seconds
    FROM (SELECT e.recorded_at FROM events e
           WHERE (e.epoch, e.transaction_id, e.position) >
                 (SELECT * FROM (SELECT c.epoch, c.transaction_id, c.position
                                   FROM log_cursors c WHERE c.name = $1
                                  UNION ALL SELECT 0, '0'::xid8, 0) place
                   ORDER BY epoch DESC, transaction_id DESC, position DESC LIMIT 1)
           ORDER BY e.epoch, e.transaction_id, e.position LIMIT ${LAG_COUNTED_EVENTS}) unread`;

/**
 * The oldest transaction with a transaction id, in any database of the server. Log consumers wait
 * only for transactions that write, because only these have a transaction id; a long read does not
 * delay them.
 */
const OLDEST_TRANSACTION = `
  SELECT holder, extract(epoch FROM clock_timestamp() - began_at)::float8 AS seconds FROM (
    SELECT xact_start AS began_at,
           coalesce(nullif(application_name, ''), usename, 'unknown') || '@' ||
             coalesce(datname, '') AS holder
      FROM pg_stat_activity
     WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
     UNION ALL
    SELECT prepared, 'prepared ' || gid || '@' || database FROM pg_prepared_xacts
  ) running
  WHERE began_at IS NOT NULL ORDER BY began_at LIMIT 1`;

/** The lag of the log consumer that owns this cursor; by default the lag of the relay. */
export const logLag = async (pool: Pool, cursorName = 'relay'): Promise<LogLag> => {
  const { rows } = await pool.query<LogLag>(UNREAD, [cursorName]);
  return rows[0] ?? { events: 0, seconds: 0 };
};

/** The oldest transaction that writes; null if there is none. */
export const oldestTransaction = async (pool: Pool): Promise<OldestTransaction | null> =>
  (await pool.query<OldestTransaction>(OLDEST_TRANSACTION)).rows[0] ?? null;
