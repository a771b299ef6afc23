import type { Pool } from 'pg';
import { type Clock, instantFromMs } from '#kernel';
import type { LostTime } from '#payment';

/** The number of business days in which a platform may repeat requests that a restore has lost. */
const REPEATED_FOR = '30 days';

/**
 * The periods lost by the restores of the last 30 business days; the last one may still be open.
 */
export const lostTimes = async (pool: Pool, clock: Clock): Promise<readonly LostTime[]> => {
  const { rows } = await pool.query<{ since: Date; until: Date }>(
    `SELECT lost_since AS since, coalesce(began_at, $1) AS until FROM log_restores
      WHERE coalesce(began_at, $1) >= $1::timestamptz - interval '${REPEATED_FOR}'`,
    [clock.now()],
  );
  return rows.map(({ since, until }) => ({
    since: instantFromMs(since.getTime()),
    until: instantFromMs(until.getTime()),
  }));
};

/** Like `lostTimes`, but called by the worker, which ends the open lost period. */
export const lostTimesUntilNow = async (pool: Pool, clock: Clock): Promise<readonly LostTime[]> => {
  await endLostTime(pool, clock);
  return lostTimes(pool, clock);
};

/** Ends the lost period: provider events from now on are recorded. */
export const endLostTime = async (pool: Pool, clock: Clock): Promise<void> => {
  await pool.query('UPDATE log_restores SET began_at = $1 WHERE began_at IS NULL', [clock.now()]);
};
