import type { Pool } from 'pg';
import { assert } from '#kernel';

/** The number of days for which the rows of a table are kept; null if they are kept for ever. */
type Days = number | null;

/** The tables that grow with orders, with the days for which their rows are kept by default. */
const TABLES: Readonly<Record<string, Days>> = {
  events: null,
  reservations: null,
  sagas: null,
  order_list: null,
  payment_list: null,
  order_search: null,
  payment_search: null,
  ledger_streams: null,
  ledger_journal: null,
  payout_list: null,
  payout_lines: null,
  refund_list: null,
  dispute_list: null,
  jobs: 30,
  webhooks_received: 30,
  webhook_deliveries: 30,
  idempotency_keys: 7,
  api_requests: 7,
};

/** The age of the oldest order in the grown database. */
const YEARS = 2;
const DAYS = YEARS * 365;

/**
 * The maximum number of replicas, because a replica's number is three digits in its ids. The newest
 * replica has this number.
 */
export const MOST_REPLICAS = 999;

/** The columns of the tables with their types, without those that the database numbers itself. */
const COLUMNS = `
  SELECT table_name AS "table", column_name AS name, data_type AS type,
         coalesce(udt_name, '') AS udt
    FROM information_schema.columns
   WHERE table_schema = 'public' AND table_name = ANY ($1) AND is_identity = 'NO'
     AND is_generated = 'NEVER'
   ORDER BY table_name, ordinal_position`;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly udt: string;
}

/**
 * Matches the ids of orders and of their objects, but not those of platforms, merchants and
 * provider accounts. An id begins with a time. The replica's number replaces the first characters
 * of this time, so that the replica is older than the original.
 */
const ID = String.raw`\y(?!acc_|mer_|plt_|key_)([a-z]+_)[0-9A-Za-z]{4}(?=[0-9A-Za-z]{20}\y)`;
/** The placeholder for the replica's number in the rows to copy (the tables `sample_…`). */
const NUMBER = '~~~~';

const isText = ({ type }: Column): boolean => ['text', 'json', 'jsonb', 'ARRAY'].includes(type);

/** SQL for the value of a column in a table `sample_…`. */
const sampleOf = (column: Column): string => {
  const name = `"${column.name}"`;
  // These keys are random UUIDs and do not begin with a time as other ids do, so the number is
  // appended.
  if (column.table === 'idempotency_keys' && column.name === 'key')
    return `key || '${NUMBER}' AS key`;
  if (!isText(column)) return name;
  return `regexp_replace(${name}::text, '${ID}', '\\1${NUMBER}', 'g') AS ${name}`;
};

/** SQL for the value of a column in replica `m` of row `r` of a table `sample_…`. */
const valueOf = (column: Column): string => {
  const name = `r."${column.name}"`;
  if (isText(column)) {
    const type = column.type === 'ARRAY' ? `${column.udt.slice(1)}[]` : column.type;
    return `replace(${name}, '${NUMBER}', '0' || lpad(m::text, 3, '0'))::${type}`;
  }
  if (column.type === 'uuid')
    return `overlay(${name}::text PLACING '0' || lpad(m::text, 5, '0') FROM 1 FOR 6)::uuid`;
  const earlier = `${name} - (${MOST_REPLICAS + 1} - m) * interval '1 day' * ${DAYS} / ${MOST_REPLICAS}::float8`;
  if (column.type === 'timestamp with time zone') return earlier;
  return column.type === 'date' ? `(${earlier})::date` : name;
};

const insertOf = (table: string, columns: readonly Column[]): string => `
  INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')})
  SELECT ${columns.map(valueOf).join(', ')} FROM sample_${table} r, (SELECT $1::int AS m) replica`;

const JOB_OF_ORDER = `key ~ '(ord|pay|pi|pout)_'`;

/**
 * Selects the rows of orders and their payouts in those tables that also contain other rows. Only
 * jobs that are done are copied: a copy of another job would be overdue, because its time is
 * earlier, and would ask the provider for objects that do not exist.
 */
const OF_ORDERS: Readonly<Record<string, string>> = {
  events: `WHERE stream_type IN ('order', 'payment', 'payout')`,
  reservations: `WHERE holder ~ '^(ord|pay)_'`,
  sagas: `WHERE key ~ '^ord_'`,
  jobs: `WHERE state = 'done' AND ${JOB_OF_ORDER}`,
};

const openJobs = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM jobs WHERE state <> 'done' AND ${JOB_OF_ORDER}`,
  );
  return rows[0]?.open ?? 0;
};

/**
 * Adds `replicas` copies of every row that belongs to orders or their payouts, with other ids and
 * earlier times, as if the orders had been placed evenly over two years. For tables whose rows are
 * deleted at a certain age, only younger copies are added. The copied events precede the positions
 * of all log consumers, so that they are not published again. The caller ensures that all orders
 * are paid out.
 */
export const addReplicas = async (pool: Pool, replicas: number): Promise<void> => {
  assert(replicas <= MOST_REPLICAS, `there are at most ${MOST_REPLICAS} replicas`);
  const openBefore = await openJobs(pool);
  const { rows } = await pool.query<Column>(COLUMNS, [Object.keys(TABLES)]);
  for (const [table, days] of Object.entries(TABLES)) {
    const columns = rows.filter((column) => column.table === table);
    assert(columns.length > 0, `the table ${table} exists`);
    const sample = `SELECT ${columns.map(sampleOf).join(', ')} FROM ${table} ${OF_ORDERS[table] ?? ''}`;
    await pool.query(`CREATE TABLE sample_${table} AS ${sample}`);
    const copies = days === null ? replicas : Math.ceil((replicas * days) / DAYS);
    for (let replica = replicas - copies + 1; replica <= replicas; replica += 1) {
      const number = Math.round((replica * MOST_REPLICAS) / replicas);
      await pool.query(insertOf(table, columns), [number]);
    }
    await pool.query(`DROP TABLE sample_${table}`);
  }
  assert((await openJobs(pool)) <= openBefore, 'no job that is still open was copied');
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
};

/** The bytes of each table, with its indexes, whose rows are kept for ever. */
export const bytesKept = async (pool: Pool): Promise<Readonly<Record<string, number>>> => {
  const kept = Object.keys(TABLES).filter((table) => TABLES[table] === null);
  const { rows } = await pool.query<{ table: string; bytes: number }>(
    'SELECT t AS "table", pg_total_relation_size(t::regclass)::float8 AS bytes FROM unnest($1::text[]) t',
    [kept],
  );
  return Object.fromEntries(rows.map(({ table, bytes }) => [table, bytes]));
};
