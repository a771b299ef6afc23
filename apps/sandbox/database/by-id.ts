import type { Database, Transaction } from './database.js';
import type { Row, Table } from './table.js';

/** Every resource's row: it belongs to one mode, and is only ever found in it. */
interface OwnedRow extends Row {
  readonly live: boolean;
}

/** The row with this id in this mode, also a deleted one; null when there is none. */
export const findRow = async <R extends OwnedRow>(
  database: Database | Transaction,
  { name }: Table<R>,
  live: boolean,
  id: string,
): Promise<R | null> => {
  const text = `SELECT * FROM ${name} WHERE id = $1 AND live = $2`;
  const [row] = await database.query<R>({ name: `find:${name}`, text }, [id, live]);
  return row ?? null;
};

/** The same, locked until the transaction ends: changes of one row follow each other. */
export const lockRow = async <R extends OwnedRow>(
  tx: Transaction,
  { name }: Table<R>,
  live: boolean,
  id: string,
): Promise<R | null> => {
  const text = `SELECT * FROM ${name} WHERE id = $1 AND live = $2 FOR NO KEY UPDATE`;
  const [row] = await tx.query<R>({ name: `lock:${name}`, text }, [id, live]);
  return row ?? null;
};
