import { assert, type Instant } from '#kernel';

/**
 * What every row has. `due_at` is when the clock moves it next, whatever the move is: its status
 * says which one. A unit that writes a row with it tells the clock to look then.
 */
export interface Row {
  readonly id: string;
  readonly due_at?: Instant | null;
}

declare const held: unique symbol;

/** A column whose values are of the type `V`. */
export interface Column<V> {
  readonly stored: true;
  readonly mutable?: true;
  readonly [held]: V;
}

/** Written once, by the insert. */
export const fixed = <V>() => ({ stored: true }) as Column<V>;
export const mutable = <V>() => ({ stored: true, mutable: true }) as Column<V>;

type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row of a table with these columns. */
export type RowWith<C> = {
  readonly [K in keyof C]: C[K] extends Column<infer V> ? V : never;
};

/** Whose a row is. */
export const OWNED = {
  id: fixed<string>(),
  account_id: fixed<string>(),
  live: fixed<boolean>(),
};

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

/** The rows of a declared table. */
export type StoredRow<T> = T extends Table<infer R> ? R : never;

const pick = <R extends Row>(row: R, columns: readonly (keyof R & string)[]): Values =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

const declared = <R extends Row>(
  name: string,
  key: string,
  columns: readonly (keyof R & string)[],
  changed: readonly (keyof R & string)[],
): Table<R> => {
  assert(/^[a-z]{2}$/.test(key), 'the key of a table is two small letters');
  const written = ['id' as const, ...changed];
  return {
    name,
    key,
    columns,
    mutable: changed,
    inserted: (row) => pick(row, columns),
    changed: (row) => pick(row, written),
  };
};

/** Declares a table by its columns, but for `seq`. */
export const table = <const C extends Columns & { readonly id: Column<string> }>(
  name: string,
  key: string,
  columns: C,
): Table<RowWith<C> & { readonly id: string }> => {
  const names = Object.keys(columns);
  return declared<Row & Values>(
    name,
    key,
    names,
    names.filter((column) => columns[column]?.mutable === true),
  ) as unknown as Table<RowWith<C> & { readonly id: string }>;
};

/** Some mutable columns of a table alone: its others may be changing meanwhile. */
export const partOf = <R extends Row, C extends Exclude<keyof R & string, 'id'>>(
  of: Table<R>,
  key: string,
  ...changed: readonly C[]
): Table<Pick<R, 'id' | C>> => {
  assert(
    changed.every((column) => of.mutable.includes(column)),
    'only mutable columns change',
  );
  return declared<Pick<R, 'id' | C>>(of.name, key, ['id', ...changed], changed);
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
