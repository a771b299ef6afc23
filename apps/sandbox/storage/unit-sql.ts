import { assert } from '#kernel';
import { FORWARD_ACCOUNT } from './account-scope.js';
import type { Statement } from './database.js';
import { EVENTS, FIRST_ATTEMPT_DELAY_MS } from './event-row.js';
import {
  insertPlainSql,
  insertSql,
  ofVersionSql,
  type TableNames,
  updatePlainSql,
  updateSql,
  type Values,
} from './table.js';

/**
 * One part of the statement that writes a unit of work: the rows that it inserts into one table, or
 * updates in it.
 */
export interface Part {
  /** The table's two-letter key, in capitals for an update. */
  readonly key: string;
  readonly table: TableNames;
  readonly isInsert: boolean;
  /** The values of each row by its id. */
  readonly rows: ReadonlyMap<string, Values>;
  /**
   * The version that the row must still have, for an update of one row; null when any version is
   * accepted.
   */
  readonly version: string | null;
}

/**
 * Creates the deliveries of new events: one for each webhook endpoint of the account and mode that
 * is enabled when the event is created. The endpoint that SANDBOX_FORWARD_URL defines receives the
 * events of every account.
 */
const DELIVERIES_SQL =
  `INSERT INTO deliveries (event_id, endpoint_id, due_at) ` +
  `SELECT e.id, w.id, e.created_at + interval '${FIRST_ATTEMPT_DELAY_MS} milliseconds' ` +
  `FROM new_events e JOIN webhook_endpoints w ` +
  `ON w.account_id IN (e.account_id, '${FORWARD_ACCOUNT}') AND w.live = e.live ` +
  `AND w.enabled AND w.deleted_at IS NULL ` +
  `ORDER BY e.seq, w.seq RETURNING id, endpoint_id, due_at`;

const WAITING_SQL =
  `INSERT INTO delivery_queue (endpoint_id, due_at, delivery_id) ` +
  `SELECT endpoint_id, due_at, id FROM new_deliveries`;

/**
 * More rows than this are written as one JSON parameter: with one parameter per value, each number
 * of rows would be a separate prepared statement.
 */
const MAX_PLAIN_ROWS = 8;

const isPlain = ({ table, isInsert, rows }: Part): boolean =>
  table.jsonColumns !== null && rows.size <= (isInsert ? MAX_PLAIN_ROWS : 1);

/**
 * The name of a part, from which the name of the prepared statement is built. Parts with equal
 * names have equal SQL.
 */
const nameOf = (part: Part): string => {
  const plain = isPlain(part) ? String(part.rows.size) : '';
  return `${part.key}${plain}${part.version === null ? '' : '='}`;
};

const parameterOf = ({ jsonColumns }: TableNames, row: Values, column: string): unknown => {
  const value = row[column] ?? null;
  const isJson = value !== null && jsonColumns?.includes(column) === true;
  return isJson ? JSON.stringify(value) : value;
};

const parametersOf = (part: Part): readonly unknown[] => {
  const rows = [...part.rows.values()];
  const { columns, mutable } = part.table;
  const written = part.isInsert ? columns : [...mutable, 'id'];
  const values = !isPlain(part)
    ? [JSON.stringify(rows)]
    : rows.flatMap((row) => written.map((column) => parameterOf(part.table, row, column)));
  return part.version === null ? values : [...values, part.version];
};

const writeSql = (part: Part, slot: number): string => {
  const { table, isInsert, rows } = part;
  if (isInsert)
    return isPlain(part) ? insertPlainSql(table, slot, rows.size) : insertSql(table, slot);
  const update = isPlain(part) ? updatePlainSql(table, slot) : updateSql(table, slot);
  if (part.version === null) return update;
  return `${update}${ofVersionSql(table, slot + parametersOf(part).length - 1)} RETURNING 1`;
};

const partSql = (part: Part, index: number, slot: number): string => {
  const write = writeSql(part, slot);
  if (part.table !== EVENTS) return `part_${index} AS (${write})`;
  return (
    `new_events AS (${write} RETURNING id, seq, account_id, live, created_at), ` +
    `new_deliveries AS (${DELIVERIES_SQL}), new_waiting AS (${WAITING_SQL})`
  );
};

const textOf = (parts: readonly Part[]): string => {
  let slot = 1;
  const written: string[] = [];
  for (const [index, part] of parts.entries()) {
    written.push(partSql(part, index, slot));
    slot += parametersOf(part).length;
  }
  const compared = parts.flatMap(({ version }, index) =>
    version === null ? [] : [` / (SELECT count(*) FROM part_${index})`],
  );
  // A row that no longer has the compared version must fail the statement, so that nothing is
  // written. Its update then changes no rows, and the division by the number of changed rows is a
  // division by zero.
  return `WITH ${written.join(', ')} SELECT 1${compared.join('')}`;
};

/** Maximum length of a prepared statement's name in PostgreSQL. */
const MAX_NAME = 63;

const statements = new Map<string, Statement>();

/**
 * The statement that writes these parts. The SQL is built once for each combination of parts, and
 * prepared under a name.
 */
export const unitSql = (
  parts: readonly Part[],
): { readonly statement: Statement; readonly values: readonly unknown[] } => {
  const name = `unit:${parts.map(nameOf).join('')}`;
  const values = parts.flatMap(parametersOf);
  const known = statements.get(name);
  if (known !== undefined) return { statement: known, values };
  assert(name.length <= MAX_NAME, 'a unit writes few enough tables to name its prepared statement');
  const statement = { name, text: textOf(parts) };
  statements.set(name, statement);
  return { statement, values };
};
