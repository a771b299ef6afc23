import { Pool, type PoolClient } from 'pg';
import {
  type AdminFixture,
  startAdminFixture,
  type TestBrowser,
} from '../apps/admin/admin.fixture.js';
import { openApiDocument } from '../apps/admin/reference/openapi.js';
import { idOf, loadYear } from './console-load.js';

/**
 * The maximum number of rows that a statement may read: many times the rows of one page with its
 * joins, but only a fortieth of all loaded rows.
 */
const MOST_ROWS = 500;
const ORDERS = 20_000;

let admin: AdminFixture;
let reader: TestBrowser;
/**
 * A connection on which PostgreSQL uses indexes for small tables too, as it does for large tables.
 */
let explaining: PoolClient;

beforeAll(async () => {
  admin = await startAdminFixture();
  reader = await admin.signedIn('admin');
  await loadYear(admin.pool, ORDERS);
  explaining = await admin.pool.connect();
  await explaining.query('SET enable_seqscan = off');
});

afterAll(async () => {
  explaining.release(true);
  await admin.stop();
});

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly format?: string;
    readonly items?: { readonly enum?: readonly string[] };
  };
}

/** The values with which a filter is tested: they match all, some or no rows. */
const valuesOf = ({ schema }: Parameter): readonly string[] => {
  const choices = schema?.enum ?? schema?.items?.enum;
  if (choices !== undefined) return choices;
  if (schema?.type === 'integer') return ['0', '100000000'];
  if (schema?.type === 'boolean') return ['true', 'false'];
  if (schema?.format === 'date') return ['2000-01-01', '2100-01-01'];
  if (schema?.format === 'date-time') return ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
  return ['absent'];
};

/**
 * Whether a filter or sort order also needs a currency, because amounts are compared within one
 * currency.
 */
const needsCurrency = (name: string, value: string): boolean =>
  name.startsWith('amount') || (name === 'sort' && value === 'amount');

/** The required query parameters of a list, by path. */
const NEEDED: Readonly<Record<string, string>> = {
  '/v1/statements/lines': 'merchantId=merchant-42&month=2026-06&mode=test&platformId=platform-2&',
};

/**
 * The path of every list in the OpenAPI document of the console, with each test value of each
 * filter of the list.
 */
const everyList = (): readonly string[] => {
  const { paths } = openApiDocument(admin.http.app);
  return Object.entries(paths).flatMap(([path, operations]) => {
    const { get } = operations as { get?: { readonly parameters?: readonly Parameter[] } };
    const parameters = (get?.parameters ?? []).filter((one) => one.in === 'query');
    if (!parameters.some(({ name }) => name === 'cursor') || path.includes('.')) return [];
    const of = NEEDED[path] ?? '';
    const filters = parameters.filter(
      ({ name }) => name !== 'cursor' && name !== 'limit' && !of.includes(`${name}=`),
    );
    return [
      `${path}?${of}`,
      ...filters.flatMap((filter) =>
        valuesOf(filter).map((value) => {
          const query = `${path}?${of}${filter.name}=${value}`;
          return needsCurrency(filter.name, value) ? `${query}&currency=eur` : query;
        }),
      ),
    ];
  });
};

const first = (prefix: string): string => `${prefix}_${idOf(1)}`;

interface Node {
  readonly 'Node Type'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Node[];
}

/**
 * The number of rows that a query plan has read from tables and indexes. A scan of the last pages
 * of a table (Tid Range Scan) does not count, because the number of these pages is limited.
 */
const rowsOf = (node: Node): number => {
  const isLimited = node['Node Type'] === 'Tid Range Scan';
  const read = isLimited ? 0 : (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  const own = node['Relation Name'] === undefined ? 0 : read * (node['Actual Loops'] ?? 1);
  return own + (node.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0);
};

/** The number of rows read by the most expensive statement of a response. */
const mostRowsOf = async (path: string): Promise<number> => {
  const pool = admin.http.app.get(Pool);
  const asked: (readonly [string, unknown[] | undefined])[] = [];
  const query = (text: string, values?: unknown[]) => {
    asked.push([text, values]);
    return admin.pool.query(text, values);
  };
  Object.assign(pool, { query });
  const { status } = await reader.get(path);
  Reflect.deleteProperty(pool, 'query');
  expect([path, status]).toEqual([path, 200]);
  let most = 0;
  for (const [text, values] of asked.filter(([one]) => /^\s*\(?(?:SELECT|WITH)/.test(one))) {
    const { rows } = await explaining.query<{ 'QUERY PLAN': readonly [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    most = Math.max(most, rowsOf(rows[0]?.['QUERY PLAN'][0].Plan ?? {}));
  }
  return most;
};

/** Routes that return counts are left out, because these routes limit the rows that they read. */
test('every list, filter and search of the console reads few rows when there are many orders', async () => {
  const paths = [
    ...everyList(),
    `/v1/entities/order/${first('ord')}/timeline`,
    '/v1/search?q=absent',
    '/v1/search?q=merchant-42',
    `/v1/search?q=${first('pay').slice(0, 12)}`,
    `/v1/search?q=${first('pi').slice(-6)}`,
    '/v1/search?q=R-1234',
    '/v1/search?q=44.85',
    '/v1/search?q=%E2%82%AC44.85+status:captured',
    '/v1/search?q=amount:%3E895+merchant:merchant-42',
    '/v1/orders?search=R-1234+paid',
    '/v1/payments?search=44.85+method:card+date:2026-06',
  ];
  expect(paths.length).toBeGreaterThan(60);
  const slow: string[] = [];
  for (const path of paths) {
    const rows = await mostRowsOf(path);
    if (rows > MOST_ROWS) slow.push(`${path}: ${rows} rows`);
  }
  expect(slow).toEqual([]);
});
