import type { Pool } from 'pg';
import { ConfigError } from './config.js';
import { isProductionProfile } from './production.js';

const isMarked = async (pool: Pool): Promise<boolean> =>
  (await pool.query('SELECT FROM production_marks')).rowCount === 1;

/**
 * A database that a process of production was started on is production's from then on, for every
 * door to it, whatever the environment of a shell says.
 */
export const markProduction = async (pool: Pool): Promise<void> => {
  await pool.query('INSERT INTO production_marks DEFAULT VALUES ON CONFLICT DO NOTHING');
};

/**
 * Before anything is done: process and database agree, so that what is for development only is
 * refused wherever production's data is. Throws `ConfigError` where only the database is
 * production's.
 */
export const agreeOnProduction = async (pool: Pool): Promise<void> => {
  if (isProductionProfile()) return markProduction(pool);
  if (!(await isMarked(pool))) return;
  throw new ConfigError('this database is one of production: set NODE_ENV=production');
};

/** Also of a database that became production's while a process of development runs on it. */
export const isProduction = async (pool: Pool): Promise<boolean> =>
  isProductionProfile() || (await isMarked(pool));
