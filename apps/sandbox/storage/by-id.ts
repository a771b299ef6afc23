import { type AccountScope, scopeValues } from './account-scope.js';
import type { Database, Transaction } from './database.js';
import type { Row, Table } from './table.js';

/** The row of a resource, which belongs to one account and mode. */
interface ScopedRow extends Row, AccountScope {}

/**
 * The condition is written so that PostgreSQL can use only the index of `id`. While the table is
 * empty, the planner might choose an index of `account_id`, and the prepared statement would keep
 * this plan when the table grows.
 */
const IN_SCOPE =
  'WHERE id = $3 AND account_id IS NOT DISTINCT FROM $1 AND live IS NOT DISTINCT FROM $2';

/**
 * The row with this id in this account and mode, even if the row is deleted; null when no row has
 * the id.
 */
export const findRow = async <R extends ScopedRow>(
  database: Database | Transaction,
  { name }: Table<R>,
  scope: AccountScope,
  id: string,
): Promise<R | null> => {
  const text = `SELECT * FROM ${name} ${IN_SCOPE}`;
  const values = [...scopeValues(scope), id];
  const [row] = await database.query<R>({ name: `find:${name}`, text }, values);
  return row ?? null;
};

/**
 * Finds the row like `findRow` and locks it until the transaction ends, so that changes of one row
 * run in sequence.
 */
export const lockRow = async <R extends ScopedRow>(
  tx: Transaction,
  { name }: Table<R>,
  scope: AccountScope,
  id: string,
): Promise<R | null> => {
  const text = `SELECT * FROM ${name} ${IN_SCOPE} FOR NO KEY UPDATE`;
  const [row] = await tx.query<R>({ name: `lock:${name}`, text }, [...scopeValues(scope), id]);
  return row ?? null;
};
