import type { Pool } from 'pg';
import { waitFor } from '#testing';
import type { ProjectionRunner } from '#projections';

/**
 * Projects until no event is left. A single empty read does not suffice: open transactions of other
 * specs on the same server hide new events from consumers of the log for a moment.
 */
export const drain = (pool: Pool, runner: ProjectionRunner): Promise<boolean> =>
  waitFor(async () => {
    while ((await runner.round()) > 0);
    const {
      rows: [row],
    } = await pool.query<{ done: boolean }>(
      `SELECT NOT EXISTS (
         SELECT FROM events e, log_cursors c
          WHERE c.name = ANY ($1)
            AND (e.epoch, e.transaction_id, e.position) >
                (c.epoch, c.transaction_id, c.position)) AS done`,
      [runner.cursorNames],
    );
    return row?.done;
  });
