import { hash } from 'node:crypto';
import type { Instant } from '#kernel';
import type { Database } from './database.js';

/** The tables requested in one turn of the event loop, and the due instant of each. */
interface Asking {
  readonly tables: Set<string>;
  readonly answers: Promise<ReadonlyMap<string, Instant | null>>;
}

const asking = new WeakMap<Database, Asking>();

const read = async (
  database: Database,
  tables: readonly string[],
): Promise<ReadonlyMap<string, Instant | null>> => {
  const minimums = tables.map(
    (table) => `(SELECT min(due_at) FROM ${table} WHERE due_at IS NOT NULL) AS ${table}`,
  );
  // Each combination of tables has its own prepared statement. Its name contains a hash, because
  // PostgreSQL limits names to 63 characters.
  const name = `due:next:${hash('md5', tables.join(' '))}`;
  const statement = { name, text: `SELECT ${minimums.join(', ')}` };
  const [row] = await database.query<Record<string, Instant | null>>(statement);
  return new Map(tables.map((table) => [table, row?.[table] ?? null]));
};

/**
 * The earliest `due_at` of a table, which is the instant of the table's next due work. All tables
 * requested in one turn of the event loop are read by one statement.
 */
export const nextDueOf = async (database: Database, table: string): Promise<Instant | null> => {
  let one = asking.get(database);
  if (one === undefined) {
    const tables = new Set<string>();
    const answers = Promise.resolve().then(() => {
      asking.delete(database);
      return read(database, [...tables].sort());
    });
    one = { tables, answers };
    asking.set(database, one);
  }
  one.tables.add(table);
  return (await one.answers).get(table) ?? null;
};
