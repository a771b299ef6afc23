import type { LogCursor } from '#log';
import type { Pool } from 'pg';
import type { Projector } from './projector.js';

/**
 * Locks the cursors in a fixed sequence, so that two processes that move the same cursors cannot
 * deadlock.
 */
const MOVE = `
  WITH here AS (
    SELECT name FROM log_cursors
     WHERE name = ANY ($1) AND epoch = $5 AND transaction_id = $6::xid8 AND position = $7
     ORDER BY name FOR UPDATE)
  UPDATE log_cursors c SET epoch = $2, transaction_id = $3::xid8, position = $4,
         moved_at = clock_timestamp()
    FROM here, set_config('synchronous_commit', 'off', true)
   WHERE c.name = here.name
  RETURNING c.name`;

/** Moves the cursors of projections that do not change between two positions of the log. */
export const moveCursors = async (
  pool: Pool,
  movers: readonly Projector[],
  from: LogCursor,
  to: LogCursor,
): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>({
    name: 'move-cursors',
    text: MOVE,
    values: [
      movers.map(({ cursorName }) => cursorName),
      to.epoch,
      to.transactionId,
      to.position,
      from.epoch,
      from.transactionId,
      from.position,
    ],
  });
  const moved = new Set(rows.map(({ name }) => name));
  for (const mover of movers) mover.standAt(moved.has(mover.cursorName) ? to : null);
};
