import { Pool } from 'pg';

/**
 * The database connections of a spec. If the database is dropped or a connection breaks while no
 * statement runs, the spec does not fail; a running statement fails.
 */
export const specPool = (connectionString: string, max = 4): Pool => {
  const pool = new Pool({ connectionString, max });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};
