import type { Pool } from 'pg';

/**
 * A database that a production process was started on is production's from then on, for every door
 * to it: what the environment of somebody's shell says does not make it another one.
 */
export const markProduction = async (pool: Pool): Promise<void> => {
  await pool.query('INSERT INTO production_marks DEFAULT VALUES ON CONFLICT DO NOTHING');
};

export const isProduction = async (pool: Pool): Promise<boolean> => {
  if (process.env['NODE_ENV'] === 'production') return true;
  return (await pool.query('SELECT FROM production_marks')).rowCount === 1;
};
