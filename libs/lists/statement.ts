import { assert } from '#kernel';
import { Problem } from '#platform';
import type { Column, Direction, Filter, List, ListQuery, Sort } from './list.js';
import { placeOf, placeSql } from './place.js';
import { conditionsOfSearch, type FoundByWord, sqlOfSearch } from './search-conditions.js';

/**
 * Conditions that always apply, with their values. For a platform, the condition selects the rows
 * of this platform.
 */
export type Scope = readonly (readonly [condition: string, value: unknown])[];

/** The scope of operators, who see the rows of all platforms. */
export const EVERYTHING: Scope = [];

/** The scope of a platform, which sees only its own rows. */
export const ofPlatform = ({ name, platform }: List, platformId: string): Scope => {
  assert(platform !== undefined, `the list of ${name} is for platforms`);
  return [[`${platform} = ?`, platformId]];
};

/** The sort order of a requested page. */
export interface Order {
  readonly sort: string;
  readonly direction: Direction;
}

export const orderOf = (
  { sorts }: List,
  { sort, direction }: ListQuery,
): Order & { readonly of: Sort } => {
  const name = sort ?? Object.keys(sorts)[0] ?? '';
  const of = sorts[name];
  assert(of !== undefined, 'a list defines every order that a query may request');
  return { sort: name, of, direction: direction ?? of.usually ?? 'desc' };
};

/** The query of a file: without a sort order whose values change while the file is read. */
export const fileQuery = <Query extends ListQuery>(list: List, query: Query): Query =>
  orderOf(list, query).of.changes === true ? { ...query, sort: undefined } : query;

/**
 * The SQL for the JSON value of a column. Minor units are a JSON number (a `bigint` would be text),
 * and a day is text, so that no time zone changes it.
 */
const selected = ({ sql, holds }: Column): string => {
  if (holds === 'integer') return `(${sql})::float8`;
  return holds === 'day' ? `(${sql})::text` : sql;
};

type Put = (value: unknown) => string;

/** The maximum number of ids that the condition of a group lists. */
export const MAX_GROUP_IDS = 100;

/**
 * The `ids` of a group, which a filter selects, and the `others`, which it excludes: of each at
 * most `MAX_GROUP_IDS + 1`.
 */
export interface GroupIds {
  readonly group: string;
  readonly ids: readonly string[];
  readonly others: readonly string[];
}

type GroupFilter = Extract<Filter, { readonly is: 'group' }>;

/** The shortest condition that selects a group; null if no ids are outside the group. */
const conditionOfGroup = (
  { by, where }: GroupFilter,
  { group, ids, others }: GroupIds,
  put: Put,
): string | null => {
  if (others.length === 0) return null;
  // Only `=` lets an index provide the sort order.
  if (ids.length === 1) return `${by} = ${put(ids[0])}`;
  if (Math.min(ids.length, others.length) > MAX_GROUP_IDS) return where.replace('?', put(group));
  return ids.length <= others.length
    ? `${by} = ANY (${put(ids)})`
    : `${by} <> ALL (${put(others)})`;
};

const conditionOf = (filter: Filter, value: unknown, put: Put): string | null => {
  switch (filter.is) {
    case 'case': {
      const condition = filter.where[String(value)];
      assert(condition !== undefined, 'a filter defines its values');
      return condition;
    }
    case 'flag':
      return value === true ? filter.where : (filter.otherwise ?? null);
    case 'group':
      return conditionOfGroup(filter, value as GroupIds, put);
    case 'several': {
      // A single value is compared with `=` instead of `ANY`, so that an index can provide the sort
      // order.
      const values = value as readonly string[];
      return values.length === 1
        ? filter.where.replace('?', put(values[0]))
        : filter.where.replace('?', `ANY (${put(values)})`);
    }
    case 'one':
    case 'id':
    case 'reference':
    case 'instant':
    case 'day':
    case 'amount':
      return filter.where.replaceAll('?', put(value));
  }
};

/**
 * Rejects a request that sorts or filters by amount without the filter `currency`, because amounts
 * in different currencies cannot be compared.
 */
const checkCurrency = (list: List, query: ListQuery, { of }: Sort): void => {
  const asked =
    of === 'amount'
      ? 'sort'
      : Object.entries(list.filters).find(
          ([name, { is }]) => is === 'amount' && query[name] !== undefined,
        )?.[0];
  if (asked === undefined || query['currency'] !== undefined) return;
  throw new Problem(
    422,
    'validation_failed',
    'amounts can be compared within one currency only: add the filter currency',
    {
      errors: [
        { detail: `must be given, because ${asked} compares amounts`, parameter: 'currency' },
      ],
    },
  );
};

/**
 * The conditions of a request except its position; only filters that the request contains are in
 * the statement.
 */
const conditionsOf = (
  list: List,
  scope: Scope,
  query: ListQuery,
  found: FoundByWord,
  put: Put,
): string[] => {
  const conditions = scope.map(([condition, value]) => condition.replace('?', put(value)));
  if (list.where !== undefined) conditions.push(list.where);
  for (const [name, filter] of Object.entries(list.filters)) {
    const value = query[name];
    const condition = value === undefined ? null : conditionOf(filter, value, put);
    if (condition !== null) conditions.push(condition);
  }
  if (query.ids !== undefined) conditions.push(`${list.id} = ANY (${put(query.ids)})`);
  if (query.search !== undefined)
    conditions.push(...sqlOfSearch(list, conditionsOfSearch(list, query.search), found, put));
  return conditions;
};

const NOTHING_FOUND: FoundByWord = new Map();

/**
 * The parts of the statement that selects the rows of a request, for any sort order and page. Also
 * returns the values of the statement, and the function that adds a value.
 */
const selectionOf = (list: List, scope: Scope, query: ListQuery, found: FoundByWord) => {
  const values: unknown[] = [];
  const put: Put = (value) => `$${values.push(value)}`;
  const from = (list.fromValues ?? []).reduce<string>(
    (sql, value) => sql.replace('?', put(value)),
    list.from,
  );
  return { from, conditions: conditionsOf(list, scope, query, found, put), values, put };
};

const sourceSql = (from: string, conditions: readonly string[]): string =>
  `FROM ${from} ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}`;

/**
 * `FROM` and `WHERE` of a statement that sums up the rows of a list, and the statement's values; the
 * request has no search.
 */
export const sourceOf = (
  list: List,
  scope: Scope,
  query: ListQuery,
): { readonly sql: string; readonly values: unknown[] } => {
  const { from, conditions, values } = selectionOf(list, scope, query, NOTHING_FOUND);
  return { sql: sourceSql(from, conditions), values };
};

/**
 * The statement that counts at most `rows` rows of a list and adds up their amounts, by currency;
 * the list has the columns `currency` and `amountMinor`.
 */
export const totalsStatementOf = (
  list: List,
  scope: Scope,
  query: ListQuery,
  rows: number,
  found: FoundByWord = NOTHING_FOUND,
): { readonly text: string; readonly values: unknown[] } => {
  const { currency, amountMinor } = list.columns;
  assert(currency && amountMinor, 'a list with totals has amounts');
  checkCurrency(list, query, orderOf(list, {}).of);
  const { from, conditions, values } = selectionOf(list, scope, query, found);
  const text = `SELECT currency, count(*)::int AS rows, sum(amount)::float8 AS "amountMinor"
    FROM (SELECT ${currency.sql} AS currency, ${amountMinor.sql} AS amount
            ${sourceSql(from, conditions)} LIMIT ${rows}) counted
   GROUP BY currency ORDER BY currency`;
  return { text, values };
};

/**
 * The statement that reads `rows` rows of a list; `found` are the rows of each word of its search.
 * Each row is an array of its columns, then its
 * sort value and its id. The columns are named `c0`, `c1`, …, because `ORDER BY` prefers a result
 * column to a table column of the same name, and would then sort by the text of the value.
 */
export const statementOf = (
  list: List,
  scope: Scope,
  query: ListQuery,
  rows: number,
  found: FoundByWord = NOTHING_FOUND,
): { readonly text: string; readonly values: unknown[] } => {
  const { sort, direction, of } = orderOf(list, query);
  checkCurrency(list, query, of);
  const { from, conditions, values, put } = selectionOf(list, scope, query, found);
  if (of.where !== undefined) conditions.push(of.where);
  if (query.cursor !== undefined) {
    const { at, id } = placeOf(query.cursor, list, sort, direction);
    const beyond = direction === 'desc' ? '<' : '>';
    conditions.push(`(${of.by}, ${list.id}) ${beyond} (${put(at)}, ${put(id)})`);
  }
  const columns = [
    ...Object.values(list.columns).map(selected),
    placeSql(of),
    `${list.id}::text`,
  ].map((sql, index) => `${sql} AS c${index}`);
  const text = `SELECT ${columns.join(', ')} ${sourceSql(from, conditions)}
    ORDER BY ${of.by} ${direction}, ${list.id} ${direction} LIMIT ${rows}`;
  return { text, values };
};
