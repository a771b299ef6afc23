import type { Pool } from 'pg';
import { type Clock, instantFromMs } from '#kernel';
import type { LostTime } from '#payment';

/** Business days for which a platform may still repeat what it asked for in lost time. */
const REPEATED_FOR = '30 days';

/** The times lost by the restores of the last 30 business days; the last may still be open. */
export const lostTimes = async (pool: Pool, clock: Clock): Promise<readonly LostTime[]> => {
  const { rows } = await pool.query<{ since: Date; until: Date }>({
    name: 'lost-times',
    text: `SELECT lost_since AS since, coalesce(began_at, $1) AS until FROM log_restores
            WHERE coalesce(began_at, $1) >= $1::timestamptz - interval '${REPEATED_FOR}'`,
    values: [clock.now()],
  });
  return rows.map(({ since, until }) => ({
    since: instantFromMs(since.getTime()),
    until: instantFromMs(until.getTime()),
  }));
};

/** As `lostTimes`, for the worker, with which lost time ends. */
export const lostTimesUntilNow = async (pool: Pool, clock: Clock): Promise<readonly LostTime[]> => {
  await endLostTime(pool, clock);
  return lostTimes(pool, clock);
};

/** What the provider does from now on is not forgotten. */
export const endLostTime = async (pool: Pool, clock: Clock): Promise<void> => {
  await pool.query('UPDATE log_restores SET began_at = $1 WHERE began_at IS NULL', [clock.now()]);
};
