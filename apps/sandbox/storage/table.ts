import { assert, type Instant } from '#kernel';

/**
 * What every row has. `due_at` is when the clock moves it next, whatever the move is: its status
 * says which one. A unit that writes a row with it tells the clock to look then.
 */
export interface Row {
  readonly id: string;
  readonly due_at?: Instant | null;
}

/** Fixed columns are written once, by the insert. */
export type Columns<R extends Row> = { readonly [C in keyof R & string]-?: 'fixed' | 'mutable' };

/** A row's columns and nothing else that the object may carry. */
type Values = Readonly<Record<string, unknown>>;

export interface TableNames {
  readonly name: string;
  /** Two small letters that name it in prepared statements, of which PostgreSQL keeps 63. */
  readonly key: string;
  /** Every column but `seq`, which is the database's own. */
  readonly columns: readonly string[];
  readonly mutable: readonly string[];
}

/** A table that a unit can write. Its area declares it once, beside its row type. */
export interface Table<R extends Row> extends TableNames {
  /** What an insert writes of a row. */
  inserted(row: R): Values;
  /** What a change writes of a row. */
  changed(row: R): Values;
}

const pick = <R extends Row>(row: R, columns: readonly (keyof R & string)[]): Values =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

/** Declares a table. Every column of `R` is named, or it does not compile. */
export const table = <R extends Row>(name: string, key: string, kinds: Columns<R>): Table<R> => {
  assert(/^[a-z]{2}$/.test(key), 'the key of a table is two small letters');
  const columns = Object.keys(kinds) as (keyof R & string)[];
  const mutable = columns.filter((column) => kinds[column] === 'mutable');
  const written = ['id' as const, ...mutable];
  return {
    name, key, columns, mutable,
    inserted: (row) => pick(row, columns),
    changed: (row) => pick(row, written),
  };
};

/** Writes the rows of the JSON array that is the statement's parameter number `slot`. */
export const insertSql = ({ name, columns }: TableNames, slot: number): string =>
  `INSERT INTO ${name} (${columns.join(', ')}) SELECT ${columns.join(', ')} ` +
  `FROM jsonb_populate_recordset(null::${name}, $${slot}::jsonb)`;

/** Gives the rows of that array their mutable columns. */
export const updateSql = ({ name, mutable }: TableNames, slot: number): string =>
  `UPDATE ${name} SET ${mutable.map((column) => `${column} = changed.${column}`).join(', ')} ` +
  `FROM jsonb_populate_recordset(null::${name}, $${slot}::jsonb) AS changed ` +
  `WHERE ${name}.id = changed.id`;
