import type { AcquiredCall } from '#kafka';
import { columnsOf, type Projection } from '#projections';

/**
 * Called by the statement with which a process acquires the projections' lease. Requests a rebuild
 * of each list for which the previous process, of an older release, did not write all current
 * columns. Tokens are consecutive, so the previous token shows which columns the previous process
 * wrote. If no columns are stored for that token, the process was of release 0.2.0: any later
 * process stores its columns with its token.
 */
export const takeOver = (projections: readonly Projection[]): AcquiredCall => ({
  name: 'take_over_projections',
  argument: JSON.stringify(
    projections.map((one) => ({ projection: one.name, columns: columnsOf(one) })),
  ),
});
