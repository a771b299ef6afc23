import type { Pool } from 'pg';
import { columnsOf, type Projection } from '#projections';

/**
 * Requests a rebuild of each list of which the last process that ran the projections did not write
 * all columns, because it is of an older release: its rows lack the others. `leaseToken` is that of
 * the lease under which this process projects: a number that was left out is of a process of 0.2.0.
 */
export const takeOver = async (
  pool: Pool,
  leaseToken: string,
  projections: readonly Projection[],
): Promise<void> => {
  const written = projections.map((one) => ({ projection: one.name, columns: columnsOf(one) }));
  await pool.query('SELECT take_over_projections($1, $2)', [leaseToken, JSON.stringify(written)]);
};
