import type { Pool } from 'pg';
import { columnsOf, type Projection } from '#projections';

/**
 * Requests a rebuild of each list of which the previous holder of the projections' lease, a process
 * of an older release, did not write all columns. `leaseToken`: the token of this process's lease.
 * Tokens are consecutive; a token without a stored column list belonged to a process of release
 * 0.2.0, which stores none.
 */
export const takeOver = async (
  pool: Pool,
  leaseToken: string,
  projections: readonly Projection[],
): Promise<void> => {
  const written = projections.map((one) => ({ projection: one.name, columns: columnsOf(one) }));
  await pool.query('SELECT take_over_projections($1, $2)', [leaseToken, JSON.stringify(written)]);
};
