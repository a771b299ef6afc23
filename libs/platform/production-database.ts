import type { Pool } from 'pg';
import { ConfigError } from './config.js';
import { isProductionProfile } from './production.js';

const isMarked = async (pool: Pool): Promise<boolean> =>
  (await pool.query('SELECT FROM production_marks')).rowCount === 1;

/**
 * Marks a database that a production process uses. From then on all processes and tools treat it as
 * a production database, whatever the environment of a shell contains.
 */
export const markProduction = async (pool: Pool): Promise<void> => {
  await pool.query('INSERT INTO production_marks DEFAULT VALUES ON CONFLICT DO NOTHING');
};

/**
 * Checks, before anything else, that process and database agree on production, so that
 * development-only functions are refused on production data. Throws `ConfigError` if only the
 * database is marked as production.
 */
export const agreeOnProduction = async (pool: Pool): Promise<void> => {
  if (isProductionProfile()) return markProduction(pool);
  if (!(await isMarked(pool))) return;
  throw new ConfigError('this database is one of production: set NODE_ENV=production');
};

/**
 * Whether this is production: also true if the database is marked as production although a
 * development process uses it.
 */
export const isProduction = async (pool: Pool): Promise<boolean> =>
  isProductionProfile() || (await isMarked(pool));
