import type { Pool } from 'pg';

/** How many writing transactions the server has begun, in all databases. */
export const writeTransactions = async (pool: Pool): Promise<bigint> => {
  const { rows } = await pool.query<{ next: string }>(
    `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`,
  );
  return BigInt(rows[0]?.next ?? 0);
};
