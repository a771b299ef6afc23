import { assert, type Instant } from '#kernel';

/**
 * The common columns of all rows. `due_at` is the instant of the row's next timed change; the row's
 * status determines which change it is. Writing a row with `due_at` schedules the clock.
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

/** A column that only the insert writes. */
export const fixed = <V>() => ({ stored: true }) as Column<V>;
export const mutable = <V>() => ({ stored: true, mutable: true }) as Column<V>;

type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row of a table with these columns. */
export type RowWith<C> = {
  readonly [K in keyof C]: C[K] extends Column<infer V> ? V : never;
};

/** The columns of each row that belongs to one account and mode. */
export const OWNED = {
  id: fixed<string>(),
  account_id: fixed<string>(),
  live: fixed<boolean>(),
};

/** The values of a row by column. */
export type Values = Readonly<Record<string, unknown>>;

export interface TableNames {
  readonly name: string;
  /**
   * Two lower-case letters that identify the table in names of prepared statements, which
   * PostgreSQL limits to 63 characters.
   */
  readonly key: string;
  /** Every column except `seq`, which the database generates. */
  readonly columns: readonly string[];
  readonly mutable: readonly string[];
  /**
   * The columns of type JSON. If this list is given, small numbers of rows are written with one
   * parameter per value, which PostgreSQL parses faster than one JSON array of rows. If null, rows
   * are always written as one JSON array.
   */
  readonly jsonColumns: readonly string[] | null;
}

/** A table that a unit can write. */
export interface Table<R extends Row> extends TableNames {
  /** The columns an insert writes. */
  inserted(row: R): Values;
  /** The columns an update writes. */
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
  jsonColumns: readonly string[] | null,
): Table<R> => {
  assert(/^[a-z]{2}$/.test(key), 'the key of a table is two lower-case letters');
  const written = ['id' as const, ...changed];
  return {
    name,
    key,
    columns,
    mutable: changed,
    jsonColumns,
    inserted: (row) => pick(row, columns),
    changed: (row) => pick(row, written),
  };
};

/** Declares a table by its columns, without `seq`. */
export const table = <const C extends Columns & { readonly id: Column<string> }>(
  name: string,
  key: string,
  columns: C,
  jsonColumns: readonly string[] | null = null,
): Table<RowWith<C> & { readonly id: string }> => {
  const names = Object.keys(columns);
  return declared<Row & Values>(
    name,
    key,
    names,
    names.filter((column) => columns[column]?.mutable === true),
    jsonColumns,
  ) as unknown as Table<RowWith<C> & { readonly id: string }>;
};

/**
 * Declares a subset of a table's mutable columns, for updates that leave the other columns alone
 * because other transactions may change them concurrently.
 */
export const partOf = <R extends Row, C extends Exclude<keyof R & string, 'id'>>(
  of: Table<R>,
  key: string,
  ...changed: readonly C[]
): Table<Pick<R, 'id' | C>> => {
  assert(
    changed.every((column) => of.mutable.includes(column)),
    'only mutable columns can be updated',
  );
  return declared<Pick<R, 'id' | C>>(of.name, key, ['id', ...changed], changed, of.jsonColumns);
};

/** Inserts the rows of the JSON array in parameter number `slot`. */
export const insertSql = ({ name, columns }: TableNames, slot: number): string =>
  `INSERT INTO ${name} (${columns.join(', ')}) SELECT ${columns.join(', ')} ` +
  `FROM jsonb_populate_recordset(null::${name}, $${slot}::jsonb)`;

/** Inserts rows whose values are the parameters from number `slot` on. */
export const insertPlainSql = ({ name, columns }: TableNames, slot: number, rows: number) => {
  const row = (index: number): string =>
    `(${columns.map((_, at) => `$${slot + index * columns.length + at}`).join(', ')})`;
  const values = Array.from({ length: rows }, (_, index) => row(index)).join(', ');
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${values}`;
};

/**
 * Updates the mutable columns of one row. The parameters are the row's values, followed by its id.
 */
export const updatePlainSql = ({ name, mutable }: TableNames, slot: number): string =>
  `UPDATE ${name} SET ${mutable.map((column, at) => `${column} = $${slot + at}`).join(', ')} ` +
  `WHERE ${name}.id = $${slot + mutable.length}`;

/** Updates the mutable columns from the rows of the JSON array in parameter number `slot`. */
export const updateSql = ({ name, mutable }: TableNames, slot: number): string =>
  `UPDATE ${name} SET ${mutable.map((column) => `${column} = changed.${column}`).join(', ')} ` +
  `FROM jsonb_populate_recordset(null::${name}, $${slot}::jsonb) AS changed ` +
  `WHERE ${name}.id = changed.id`;

/**
 * The version of a row: the id of the transaction that wrote the row last; every change of the row
 * changes this id.
 */
export const versionSql = (table: string): string => `${table}.xmin::text`;

/** Restricts an update to a row that has the version in parameter number `slot`. */
export const ofVersionSql = ({ name }: TableNames, slot: number): string =>
  ` AND ${name}.xmin = $${slot}::text::xid`;
