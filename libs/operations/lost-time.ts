import type { Pool } from 'pg';
import { type Clock, instantFromMs } from '#kernel';
import type { LostTime } from '#payment';

/**
 * How long after a database restore a new request may repeat a request that the restore lost, in
 * business time.
 */
const REPEATED_FOR = '30 days';

/**
 * The periods whose events were lost by database restores in the last 30 days of business time. A
 * period ends when the worker first runs after the restore; until then the current time is used as
 * its end.
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

/** Like `lostTimes`, for the worker, which first ends a lost period that has not ended yet. */
export const lostTimesUntilNow = async (pool: Pool, clock: Clock): Promise<readonly LostTime[]> => {
  await endLostTime(pool, clock);
  return lostTimes(pool, clock);
};

/** Ends the lost period, because the log records all events again. */
export const endLostTime = async (pool: Pool, clock: Clock): Promise<void> => {
  await pool.query('UPDATE log_restores SET began_at = $1 WHERE began_at IS NULL', [clock.now()]);
};
