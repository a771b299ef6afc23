import { domainEvent, type RecordedEvent } from '#log';
import { assert, type DomainEvent, type EventMap, mapEvent, type StreamType } from '#kernel';

/** The common field of projected rows: the version of the stream that the row shows. */
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

/** An entry of a journal; `event_id` is the primary key of the journal's table. */
export interface JournalEntry {
  readonly event_id: string;
}

/**
 * Sums of a journal's entries, updated with each entry, so that no reader sums up the whole
 * history.
 */
export interface Balances {
  readonly table: string;
  /**
   * The columns of the entry that form the primary key of the balances: each combination of their
   * values has one balance row.
   */
  readonly keyColumns: readonly string[];
  /** Columns of the entry that are summed up. */
  readonly sumColumns: readonly string[];
}

/** Entries for single events beside the rows: one row per event, never changed. */
export interface Journal<Row extends ProjectedRow> {
  readonly table: string;
  /** All columns of the entry. */
  readonly columns: Columns;
  readonly balances: Balances;
  /**
   * The journal entry for this event; null if it has none. `after` is the stream's row with the
   * event applied. Pure.
   */
  entryOf(before: Row | null, after: Row, event: RecordedEvent): JournalEntry | null;
}

/** Details of a row in a separate table, such as a payment's refunds. */
export interface Parts<Row extends ProjectedRow> {
  readonly table: string;
  /** The primary key of the separate table. */
  readonly keyColumn: string;
  /** All columns of the separate table. */
  readonly columns: readonly string[];
  /** The detail rows of a row, each with the version of the stream that last changed it. Pure. */
  of(row: Row): readonly object[];
}

/** A table derived from the log, one row for each stream of its types. */
export interface Projection<Row extends ProjectedRow = ProjectedRow> {
  /** The table's name; the cursor's name follows from it. */
  readonly name: string;
  readonly streamTypes: readonly StreamType[];
  /** The column of the stream's id: the table's primary key. */
  readonly keyColumn: string;
  /** All columns of the row except its version. */
  readonly columns: Columns;
  /**
   * The stream's row after one more event; null while it has none. Pure. `apply` is a method, so
   * that projections with different rows fit in one catalogue: each receives only the rows of its
   * own table.
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
  ...(journal === undefined ? [] : [journal.table, journal.balances.table]),
  ...parts.map(({ table }) => table),
];

export const cursorNameOf = ({ name }: { readonly name: string }): string => `projection:${name}`;

/** For each type of event that starts a stream: the new row, or null for streams without a row. */
type Begins<Row extends ProjectedRow, Event extends DomainEvent, First extends Event['type']> = {
  readonly [Type in First]: (
    event: Extract<Event, { readonly type: Type }>,
    streamId: string,
  ) => Omit<Row, 'version'> | null;
};

/** For each type of the later events: the changed columns of the row. */
type Changes<Row, Event extends DomainEvent, First extends Event['type']> = EventMap<
  Exclude<Event, { readonly type: First }>,
  [row: Row, streamId: string],
  Partial<Row>
>;

/** Creates `apply` for a projection whose rows depend on exactly these events. */
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

/** Creates `apply` for a projection whose rows contain the time of their last event. */
export const dated =
  <Row extends ProjectedRow & { readonly updated_at: string }>(
    apply: (row: Row | null, event: RecordedEvent) => Row | null,
  ) =>
  (row: Row | null, recorded: RecordedEvent): Row | null => {
    const after = apply(row, recorded);
    return after && { ...after, updated_at: String(recorded.data['at']) };
  };
