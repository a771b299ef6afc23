import type { Pool } from 'pg';
import { ConfigError } from './config.js';
import { isProductionProfile } from './production.js';

const isMarked = async (pool: Pool): Promise<boolean> =>
  (await pool.query('SELECT FROM production_marks')).rowCount === 1;

/**
 * A database that a production process has used is a production database from then on, for all
 * processes and tools, whatever the environment of a shell contains.
 */
export const markProduction = async (pool: Pool): Promise<void> => {
  await pool.query('INSERT INTO production_marks DEFAULT VALUES ON CONFLICT DO NOTHING');
};

/**
 * Checked before anything else: process and database must agree, so that development-only functions
 * are refused on production data. Throws `ConfigError` if only the database is marked as
 * production.
 */
export const agreeOnProduction = async (pool: Pool): Promise<void> => {
  if (isProductionProfile()) return markProduction(pool);
  if (!(await isMarked(pool))) return;
  throw new ConfigError('this database is one of production: set NODE_ENV=production');
};

/** Also detects a database that is marked as production while a development process runs on it. */
export const isProduction = async (pool: Pool): Promise<boolean> =>
  isProductionProfile() || (await isMarked(pool));
