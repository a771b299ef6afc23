import { AsyncLocalStorage } from 'node:async_hooks';
import type { Instant } from '#kernel';
import { type AccountScope, scopeValues } from '../storage/account-scope.js';
import type { Database } from '../storage/database.js';
import { type Checked, checkedQuery } from './checked.js';

/**
 * The parameters of every list. `created` (epoch seconds) selects objects created at or after this
 * time.
 */
export interface ListQuery {
  readonly start: number;
  readonly limit: number;
  readonly created?: number;
}

/** The offset of a page, and its length. */
export const PAGE_PROPERTIES = {
  start: { type: 'integer', minimum: 0, maximum: 2_147_483_647, default: 0 },
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
} as const;

const LIST_PROPERTIES = {
  ...PAGE_PROPERTIES,
  created: { type: 'integer', minimum: 0, maximum: 8_640_000_000_000 },
} as const;

/**
 * The query of a list: its specific filters and the common parameters. See `checkedBody` for
 * `numbers`.
 */
export const listQuery = <T extends object = object>(
  filters: object = {},
  numbers: readonly string[] = [],
): Checked<ListQuery & T> =>
  checkedQuery<ListQuery & T>({ ...LIST_PROPERTIES, ...filters }, numbers);

export interface Range {
  readonly start: number;
  readonly end: number;
  readonly limit: number;
  readonly count: number;
  readonly has_more: boolean;
}

/** The value for each column to filter by; a column with an undefined value does not filter. */
export type Filters = Readonly<Record<string, string | boolean | undefined>>;

export interface ListSource {
  /** The name of the prepared statement, one per list. */
  readonly name: string;
  /** `SELECT … FROM …`, with the table's alias `t`. */
  readonly select: string;
  /** A condition that always applies, e.g. `t.deleted_at IS NULL`. */
  readonly where?: string;
  /**
   * Adds joins to the SQL of the page, so that only the rows of the page are joined; the page is a
   * subquery with the alias `t`.
   */
  readonly complete?: (page: string) => string;
}

const NEWEST_FIRST = 'ORDER BY t.created_at DESC, t.seq DESC';

/** Joins only the rows of the page, not the rows of earlier pages. */
export const pageSql = (
  { select, complete }: Pick<ListSource, 'select' | 'complete'>,
  condition: string,
): string => {
  const page = `${select} WHERE ${condition} ${NEWEST_FIRST} OFFSET $3 LIMIT $4`;
  return complete === undefined ? page : `${complete(`(${page})`)} ${NEWEST_FIRST}`;
};

/**
 * Builds the page from the rows. One row more than requested is read, which shows whether there is
 * a further page.
 */
export const pageOf = <Row>(
  found: readonly Row[],
  { start, limit }: Pick<ListQuery, 'start' | 'limit'>,
): { rows: Row[]; range: Range } => {
  const rows = found.slice(0, limit);
  const end = start + Math.max(rows.length - 1, 0);
  const range = { start, end, limit, count: rows.length, has_more: found.length > rows.length };
  return { rows, range };
};

/** Inside a run of this storage, lists contain only rows that were created until its instant. */
export const listedUntil = new AsyncLocalStorage<Instant>();

/** One page of an account's rows in one mode, newest first. */
export const readPage = async <Row>(
  database: Database,
  source: ListSource,
  scope: AccountScope,
  query: ListQuery,
  filters: Filters = {},
): Promise<{ rows: Row[]; range: Range }> => {
  const used = Object.entries(filters).filter(([, value]) => value !== undefined);
  const values: unknown[] = [...scopeValues(scope), query.start, query.limit + 1];
  const conditions = ['t.account_id = $1 AND t.live = $2'];
  if (source.where !== undefined) conditions.push(source.where);
  for (const [column, value] of used) conditions.push(`t.${column} = $${values.push(value)}`);
  if (query.created !== undefined) {
    conditions.push(`t.created_at >= to_timestamp($${values.push(query.created)})`);
  }
  const until = listedUntil.getStore();
  if (until !== undefined) conditions.push(`t.created_at <= $${values.push(until)}`);
  const shape = [
    ...used.map(([column]) => column),
    ...(query.created === undefined ? [] : ['c']),
    ...(until === undefined ? [] : ['u']),
  ];
  const found = await database.query<Row>(
    {
      name: `list:${source.name}:${shape.join('+')}`,
      text: pageSql(source, conditions.join(' AND ')),
    },
    values,
  );
  return pageOf(found, query);
};
