import type { Pool, PoolClient } from 'pg';
import type { Instant } from '#kernel';
import type { MerchantMode } from './domain/merchant-event.js';

/**
 * Requests a read of an environment's status history at `now`, in addition to the scheduled poll
 * runs. The worker that polls the environment makes the read, after its current poll run if one is
 * in progress. Returns false if no worker polls this environment.
 */
export const requestRound = async (
  client: Pool | PoolClient,
  mode: MerchantMode,
  now: Instant,
): Promise<boolean> => {
  const { rowCount } = await client.query(
    `UPDATE history_watermarks SET next_round_at = $2, updated_at = clock_timestamp()
      WHERE mode = $1`,
    [mode, now],
  );
  return rowCount === 1;
};
