import type { Pool } from 'pg';

/**
 * Counts the statements with this name that are sent through the pool from now on; the returned
 * function returns the count.
 */
export const countStatements = (pool: Pool, name: string): (() => number) => {
  let count = 0;
  const query = pool.query.bind(pool) as (...all: unknown[]) => unknown;
  const counted = (...all: unknown[]): unknown => {
    const [config] = all;
    if ((config as { readonly name?: string }).name === name) count += 1;
    return query(...all);
  };
  pool.query = counted as typeof pool.query;
  return () => count;
};
