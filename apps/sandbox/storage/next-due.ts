import { hash } from 'node:crypto';
import type { Instant } from '#kernel';
import type { Database } from './database.js';

/** The tables that are asked for in one turn, and their answers. */
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
  // A name for each combination of tables, within the length of a prepared statement's name.
  const name = `due:next:${hash('md5', tables.join(' '))}`;
  const statement = { name, text: `SELECT ${minimums.join(', ')}` };
  const [row] = await database.query<Record<string, Instant | null>>(statement);
  return new Map(tables.map((table) => [table, row?.[table] ?? null]));
};

/**
 * When a table next has due work: the earliest `due_at` in it, by its index. The tables that are
 * asked for in one turn are read by one statement.
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
