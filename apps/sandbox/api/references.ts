import { type AccountScope, scopeValues } from '../storage/account-scope.js';
import type { Database, Transaction } from '../storage/database.js';
import { invalid } from './api-error.js';

/**
 * The tables to which a body may refer, by the prefix of the id. A reference to a deleted row is
 * rejected.
 */
const TABLES: Readonly<Record<string, string>> = {
  addr: 'addresses',
  cust: 'customers',
  card: 'cards',
  sepa: 'sepa',
  prod: 'products',
  price: 'prices',
};

/**
 * The path of a reference in a body, e.g. `['items', 0, 'price']`, and the value at this path; null
 * when the body has none.
 */
export type Reference = readonly [at: string | readonly (string | number)[], id: string | null];

const tableOf = (id: string): string => TABLES[id.split('_', 1)[0] ?? ''] ?? '';

/**
 * Throws `ApiError` 422 with every reference whose target does not exist in this scope. Uses one
 * database query, or none if the body has no references.
 */
export const checkReferences = async (
  database: Database | Transaction,
  scope: AccountScope,
  references: readonly Reference[],
): Promise<void> => {
  const ids = references.flatMap(([, id]) => (id === null ? [] : [id]));
  if (ids.length === 0) return;
  const tables = [...new Set(ids.map(tableOf))].sort();
  const parts = tables.map(
    (name) => `SELECT id FROM ${name}
      WHERE account_id = $1 AND live = $2 AND id = ANY($3) AND deleted_at IS NULL`,
  );
  const rows = await database.query<{ id: string }>(
    { name: `references:${tables.join('+')}`, text: parts.join(' UNION ALL ') },
    [...scopeValues(scope), ids],
  );
  const there = new Set(rows.map((row) => row.id));
  const missing = references.filter(([, id]) => id !== null && !there.has(id));
  if (missing.length === 0) return;
  throw invalid(
    ...missing.map(([at, id]) => ({
      loc: ['body', ...(typeof at === 'string' ? [at] : at)],
      msg: `\`${id}\` not found`,
      type: 'value_error',
    })),
  );
};
