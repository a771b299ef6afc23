import { Pool } from 'pg';

/**
 * Connections of a spec to its database. That the database is dropped, or a connection ended,
 * between two statements is no failure of the spec; a statement that it hits fails.
 */
export const specPool = (connectionString: string, max = 20): Pool => {
  const pool = new Pool({ connectionString, max });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};
