import type { Pool, PoolClient } from 'pg';
import type { Instant } from '#kernel';
import type { MerchantMode } from './domain/merchant-event.js';

/**
 * Has the status history of an environment read at `now`, whatever is planned: by whichever worker
 * reads it, and again where a round is under way. False where no worker reads this environment.
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
