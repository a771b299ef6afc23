import type { Pool } from 'pg';
import type { SecretBox } from '#platform';

/**
 * A column with encrypted texts. The fields are SQL expressions over one row. `key` must have an
 * index, because the rows are read in the order of `key`.
 */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly type: 'text' | 'bytea';
  readonly key: string;
  /**
   * The associated data of the encryption. It contains the row's id, so that an encrypted secret is
   * invalid in any other row.
   */
  readonly purpose: string;
}

export const ORCHESTRATOR_SECRETS: readonly SealedColumn[] = [
  {
    table: 'provider_accounts',
    column: 'api_key_sealed',
    type: 'bytea',
    key: 'id',
    purpose: `id || '.api_key'`,
  },
  {
    table: 'provider_accounts',
    column: 'webhook_secret_sealed',
    type: 'bytea',
    key: 'id',
    purpose: `id || '.webhook_secret'`,
  },
  { table: 'merchant_details', column: 'sealed', type: 'text', key: 'ref', purpose: 'ref' },
  { table: 'webhook_details', column: 'sealed', type: 'text', key: 'ref', purpose: 'ref' },
  ...(['sealed', 'pending_sealed'] as const).map((column) => ({
    table: 'admin_second_factors',
    column,
    type: 'text' as const,
    key: 'user_id',
    purpose: `user_id || '.second_factor'`,
  })),
];

export const SANDBOX_SECRETS: readonly SealedColumn[] = [
  { table: 'webhook_endpoints', column: 'secret', type: 'text', key: 'id', purpose: 'id' },
  {
    table: 'merchant_keys',
    column: 'sealed',
    type: 'text',
    key: `encode(hash, 'hex')`,
    purpose: 'company_id',
  },
  { table: 'sandbox_settings', column: 'value', type: 'text', key: 'name', purpose: 'name' },
];

/**
 * The result for a column: the number of rows that were encrypted again, and the keys of rows that
 * cannot be decrypted.
 */
export interface Reencrypted {
  readonly place: string;
  readonly count: number;
  readonly unopened: readonly string[];
}

interface SealedRow {
  readonly key: string;
  readonly purpose: string;
  readonly sealed: string;
}

const CHUNK_ROWS = 200;

/**
 * Reads the next rows with encrypted texts. Omits texts without a dot, which are unencrypted
 * secrets of a sandbox without SECRETS_KEY.
 */
const nextChunk = async (
  pool: Pool,
  { table, column, type, key, purpose }: SealedColumn,
  box: SecretBox,
  after: string,
): Promise<readonly SealedRow[]> => {
  const text = type === 'bytea' ? `convert_from(${column}, 'UTF8')` : column;
  const { rows } = await pool.query<SealedRow>(
    `SELECT ${key} AS key, ${purpose} AS purpose, ${text} AS sealed FROM ${table}
      WHERE ${key} > $1 AND position('.' IN ${text}) > 0 AND NOT starts_with(${text}, $2)
      ORDER BY ${key} LIMIT ${CHUNK_ROWS}`,
    [after, `${box.currentKeyId}.`],
  );
  return rows;
};

/**
 * Replaces the texts of a chunk in one statement; a row that was written during the run is not
 * overwritten.
 */
const replace = async (
  pool: Pool,
  { table, column, type, key }: SealedColumn,
  rows: readonly (SealedRow & { readonly anew: string })[],
): Promise<number> => {
  const bytes = (text: string): string => (type === 'bytea' ? `convert_to(${text}, 'UTF8')` : text);
  const { rowCount } = await pool.query(
    `UPDATE ${table} t SET ${column} = ${bytes('n.anew')}
       FROM unnest($1::text[], $2::text[], $3::text[]) AS n(key_of_row, was, anew)
      WHERE ${key} = n.key_of_row AND t.${column} = ${bytes('n.was')}`,
    [rows.map((row) => row.key), rows.map((row) => row.sealed), rows.map((row) => row.anew)],
  );
  return rowCount ?? 0;
};

/**
 * Encrypts every secret of a column again with the first key in `box`. Rows that already use this
 * key are skipped, so the command may be interrupted and repeated, also while the apps run.
 */
export const reencrypt = async (
  pool: Pool,
  column: SealedColumn,
  box: SecretBox,
): Promise<Reencrypted> => {
  let count = 0;
  const unopened: string[] = [];
  for (let after = ''; ;) {
    const chunk = await nextChunk(pool, column, box, after);
    const anew = chunk.flatMap((row) => {
      try {
        return [{ ...row, anew: box.seal(box.open(row.sealed, row.purpose), row.purpose) }];
      } catch {
        // SECRETS_KEY lacks the key of this secret, or the text was altered. The row is reported,
        // and the other rows are processed.
        unopened.push(row.key);
        return [];
      }
    });
    count += await replace(pool, column, anew);
    const last = chunk.at(-1);
    if (last === undefined) return { place: `${column.table}.${column.column}`, count, unopened };
    after = last.key;
  }
};
