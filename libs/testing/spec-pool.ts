import { Pool } from 'pg';

/**
 * Database connections of a spec. Dropping the database or closing a connection between two
 * statements does not fail the spec; a statement in progress fails.
 */
export const specPool = (connectionString: string, max = 20): Pool => {
  const pool = new Pool({ connectionString, max });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};
