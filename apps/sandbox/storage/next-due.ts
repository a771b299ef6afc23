import type { Instant } from '#kernel';
import type { Database } from './database.js';

/** When a table next has due work: the earliest `due_at` in it, by its index. */
export const nextDueOf = async (database: Database, table: string): Promise<Instant | null> => {
  const text = `SELECT min(due_at) AS at FROM ${table} WHERE due_at IS NOT NULL`;
  const [row] = await database.query<{ at: Instant | null }>({ name: `due:next:${table}`, text });
  return row?.at ?? null;
};
