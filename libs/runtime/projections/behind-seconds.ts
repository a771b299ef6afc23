import type { Pool } from 'pg';
import { cursorNameOf } from './projection.js';

const BEHIND = `
  SELECT p.name, coalesce(extract(epoch FROM clock_timestamp() - (
           SELECT e.recorded_at FROM events e
            WHERE (e.epoch, e.transaction_id, e.position) > (c.epoch, c.transaction_id, c.position)
            ORDER BY e.epoch, e.transaction_id, e.position LIMIT 1)), 0)::float8 AS seconds
    FROM unnest($1::text[], $2::text[]) AS p(name, cursor)
    JOIN log_cursors c ON c.name = p.cursor`;

/**
 * The lag of each projection in wall time, by its name: the age of the oldest event that the
 * projection has not processed; 0 at the end of the log.
 */
export const behindSeconds = async (
  pool: Pool,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await pool.query<{ name: string; seconds: number }>(BEHIND, [
    names,
    names.map((name) => cursorNameOf({ name })),
  ]);
  return new Map(rows.map(({ name, seconds }) => [name, seconds]));
};
