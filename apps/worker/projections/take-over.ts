import type { Pool } from 'pg';
import { columnsOf, type Projection } from '#projections';

/**
 * Called by a process that takes over the projections' lease. Requests a rebuild of each list for
 * which the previous process, of an older release, did not write all current columns. `leaseToken`:
 * the token of the new lease. Tokens are consecutive, so the previous token shows which columns the
 * previous process wrote. If no columns are stored for that token, the process was of release
 * 0.2.0.
 */
export const takeOver = async (
  pool: Pool,
  leaseToken: string,
  projections: readonly Projection[],
): Promise<void> => {
  const written = projections.map((one) => ({ projection: one.name, columns: columnsOf(one) }));
  await pool.query('SELECT take_over_projections($1, $2)', [leaseToken, JSON.stringify(written)]);
};
