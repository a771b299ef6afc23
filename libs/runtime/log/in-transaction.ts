import type { Pool, PoolClient } from 'pg';

/** Commits everything that `work` wrote, or nothing. */
export const inTransaction = async <T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A connection whose state is unknown is closed, which also rolls back its transaction.
    client.release(broken);
  }
};
