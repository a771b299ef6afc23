import { domainEvent, type RecordedEvent } from '#log';
import { assert, type DomainEvent, type EventMap, mapEvent, type StreamType } from '#kernel';

/** The field that every row of a projection has: the version of the stream that the row shows. */
export interface ProjectedRow {
  readonly version: number;
}

/** A column of a projected table; the type of its values exists only at compile time. */
export interface Column<Value> {
  readonly holds?: Value;
}

/** Columns by their names. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** Declares a column by the type of its values. */
export const column = <Value>(): Column<Value> => ({});

/** The values of the columns. */
export type ValuesOf<Declared extends Columns> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Column<infer Value> ? Value : never;
};

/** A row with these columns, and with the version of its stream. */
export type RowOf<Declared extends Columns> = ProjectedRow & ValuesOf<Declared>;

/**
 * Sums over the entries of a journal. The sums are updated with each entry, so that no query has to
 * sum up the whole history.
 */
export interface Balances {
  readonly table: string;
  /**
   * The columns that form the primary key of the sums: there is one row of sums for each
   * combination of their values.
   */
  readonly keyColumns: readonly string[];
  /** Columns of the entry that are summed up. */
  readonly sumColumns: readonly string[];
}

/**
 * The journal of a projection: one row for each event of certain types. Journal rows are never
 * changed.
 */
export interface Journal<Row extends ProjectedRow> {
  readonly table: string;
  /** The columns that form the primary key of the journal's table. */
  readonly keyColumns: readonly string[];
  /** All columns of the entry. */
  readonly columns: Columns;
  readonly balances?: Balances;
  /**
   * The journal entry for an event; null if the event has no entry. `before` and `after` are the
   * row of the stream before and after the event. Pure.
   */
  entryOf(before: Row | null, after: Row, event: RecordedEvent): object | null;
}

/** Details of a row that are rows of another table, such as the refunds of a payment. */
export interface Parts<Row extends ProjectedRow> {
  readonly table: string;
  /** The primary key of the separate table. */
  readonly keyColumn: string;
  /** All columns of the separate table. */
  readonly columns: readonly string[];
  /** The detail rows of a row, each with the version of the stream that last changed it. Pure. */
  of(row: Row): readonly object[];
}

/** A table that is computed from the log: one row for each stream of its types. */
export interface Projection<Row extends ProjectedRow = ProjectedRow> {
  /** The table's name; the cursor's name follows from it. */
  readonly name: string;
  readonly streamTypes: readonly StreamType[];
  /** The column with the stream's id, which is the table's primary key. */
  readonly keyColumn: string;
  /** All columns of the row except its version. */
  readonly columns: Columns;
  /**
   * The row of a stream after one more event; null while the stream has no row. Pure. `apply` is
   * declared as a method and not as a function property, so that projections with different rows
   * have a common type; this is safe because each projection receives only rows of its own table.
   */
  apply(row: Row | null, event: RecordedEvent): Row | null;
  /** The journal of the projection, written in the same statement as the rows. */
  readonly journal?: Journal<Row>;
  /** The detail tables of the projection, written in the same statement as the rows. */
  readonly parts?: readonly Parts<Row>[];
}

/**
 * All tables that are written and rebuilt with the projection; the projection's own table is the
 * first.
 */
export const tablesOf = <Row extends ProjectedRow>({
  name,
  journal,
  parts = [],
}: Projection<Row>): readonly string[] => [
  name,
  ...(journal === undefined ? [] : [journal.table]),
  ...(journal?.balances === undefined ? [] : [journal.balances.table]),
  ...parts.map(({ table }) => table),
];

/** The columns of `tablesOf` that the projection writes, each as `table.column`. */
export const columnsOf = <Row extends ProjectedRow>({
  name,
  keyColumn,
  columns,
  journal,
  parts = [],
}: Projection<Row>): readonly string[] => {
  const of = (table: string, names: readonly string[]): readonly string[] =>
    names.map((one) => `${table}.${one}`);
  const { balances } = journal ?? {};
  return [
    ...of(name, [keyColumn, 'version', ...Object.keys(columns)]),
    ...(journal === undefined ? [] : of(journal.table, Object.keys(journal.columns))),
    ...(balances === undefined
      ? []
      : of(balances.table, [...balances.keyColumns, ...balances.sumColumns])),
    ...parts.flatMap((part) => of(part.table, part.columns)),
  ];
};

export const cursorNameOf = ({ name }: { readonly name: string }): string => `projection:${name}`;

/**
 * For each type of event with which a stream begins: the function that returns the new row, or null
 * if the stream gets no row.
 */
type Begins<Row extends ProjectedRow, Event extends DomainEvent, First extends Event['type']> = {
  readonly [Type in First]: (
    event: Extract<Event, { readonly type: Type }>,
    streamId: string,
  ) => Omit<Row, 'version'> | null;
};

/** For each type of later event: the function that returns the columns that change. */
type Changes<Row, Event extends DomainEvent, First extends Event['type']> = EventMap<
  Exclude<Event, { readonly type: First }>,
  [row: Row, streamId: string],
  Partial<Row>
>;

/** Creates the `apply` of a projection that handles exactly these types of events. */
export const rowsFrom =
  <Row extends ProjectedRow, Event extends DomainEvent, First extends Event['type']>(
    begins: Begins<Row, Event, First>,
    changes: Changes<Row, Event, First>,
  ) =>
  (row: Row | null, recorded: RecordedEvent): Row | null => {
    const { streamType, streamId, version } = recorded;
    const event = domainEvent<Event>(recorded);
    if (Object.hasOwn(begins, event.type)) {
      const begun = begins[event.type as First](event as never, streamId);
      return begun === null ? null : ({ ...begun, version } as Row);
    }
    assert(row !== null, `the ${streamType} ${streamId} begins before its ${event.type}`);
    const later = event as Exclude<Event, { readonly type: First }>;
    return { ...row, ...mapEvent(changes, {}, later, row, streamId), version };
  };

/** Creates the `apply` of a projection whose rows contain the time of their last event. */
export const dated =
  <Row extends ProjectedRow & { readonly updated_at: string }>(
    apply: (row: Row | null, event: RecordedEvent) => Row | null,
  ) =>
  (row: Row | null, recorded: RecordedEvent): Row | null => {
    const after = apply(row, recorded);
    return after && { ...after, updated_at: String(recorded.data['at']) };
  };
