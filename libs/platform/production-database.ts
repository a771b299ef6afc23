import type { Pool } from 'pg';
import { ConfigError } from './config.js';
import { isProductionProfile } from './production.js';

const isMarked = async (pool: Pool): Promise<boolean> =>
  (await pool.query('SELECT FROM production_marks')).rowCount === 1;

/**
 * Marks a database as used by a production process. From then on all processes and tools treat it
 * as a production database, even if their own environment does not say production.
 */
export const markProduction = async (pool: Pool): Promise<void> => {
  await pool.query('INSERT INTO production_marks DEFAULT VALUES ON CONFLICT DO NOTHING');
};

/**
 * This check runs before anything else. Throws `ConfigError` if the database is marked as
 * production and the process is not, so that functions for development are refused on production
 * data.
 */
export const agreeOnProduction = async (pool: Pool): Promise<void> => {
  if (isProductionProfile()) return markProduction(pool);
  if (!(await isMarked(pool))) return;
  throw new ConfigError('this database is a production database: set NODE_ENV=production');
};

/**
 * Whether this is production: the process runs in production, or the database is marked as
 * production.
 */
export const isProduction = async (pool: Pool): Promise<boolean> =>
  isProductionProfile() || (await isMarked(pool));
