import type { Pool } from 'pg';

/**
 * The number of sessions of the pool's database that wait for a lock. Do not call this function on
 * the connection whose transaction holds the lock: within a transaction PostgreSQL reads the list
 * of sessions only once.
 */
export const lockWaits = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query(
    `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
};
