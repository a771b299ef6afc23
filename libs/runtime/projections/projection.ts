import { domainEvent, type RecordedEvent } from '#log';
import { assert, type DomainEvent, type EventMap, mapEvent, type StreamType } from '#kernel';

/** What every projected row has: the version of the stream that it shows. */
export interface ProjectedRow {
  readonly version: number;
}

/** `event_id` is the primary key of a journal's table. */
export interface JournalEntry {
  readonly event_id: string;
}

/** Sums of a journal's entries, updated with each: no reader sums all of history. */
export interface Balances {
  readonly table: string;
  /** Of the entry: one row for each of their values, the table's primary key. */
  readonly keyColumns: readonly string[];
  /** Of the entry: each is the sum of it. */
  readonly sumColumns: readonly string[];
}

/** What is written down of single events beside the rows: one row an event, never changed. */
export interface Journal<Row extends ProjectedRow> {
  readonly table: string;
  /** Of the entry, all. */
  readonly columns: readonly string[];
  readonly balances: Balances;
  /** What this event adds; `after` is the stream's row with it. Null when nothing. Pure. */
  entryOf(before: Row | null, after: Row, event: RecordedEvent): JournalEntry | null;
}

/** What a row consists of, one by one in a table of its own: a payment's refunds. */
export interface Parts<Row extends ProjectedRow> {
  readonly table: string;
  /** The table's primary key. */
  readonly keyColumn: string;
  /** Of the part, all. */
  readonly columns: readonly string[];
  /** Each with the version of the stream that last changed it. Pure. */
  of(row: Row): readonly ProjectedRow[];
}

/** A table that follows from the log, one row for each stream of its types. */
export interface Projection<Row extends ProjectedRow = ProjectedRow> {
  /** The table's name; the cursor's name follows from it. */
  readonly name: string;
  readonly streamTypes: readonly StreamType[];
  /** The column of the stream's id: the table's primary key. */
  readonly keyColumn: string;
  /** Of the row, all. */
  readonly columns: readonly string[];
  /**
   * The stream's row after one more event; null while there is none. Pure. A method, so that those
   * of different rows fit in one catalogue: each is given the rows of its own table only.
   */
  apply(row: Row | null, event: RecordedEvent): Row | null;
  /** Written in the same statement as the rows. */
  readonly journal?: Journal<Row>;
  /** Written in the same statement, too. */
  readonly parts?: readonly Parts<Row>[];
}

/** All tables that are written, and built anew, with the projection: its own first. */
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

/** By type of the events with which streams begin: the row, or null where the stream has none. */
type Begins<Row extends ProjectedRow, Event extends DomainEvent, First extends Event['type']> = {
  readonly [Type in First]: (
    event: Extract<Event, { readonly type: Type }>,
    streamId: string,
  ) => Omit<Row, 'version'> | null;
};

/** By type of the later events: what they change of the row. */
type Changes<Row, Event extends DomainEvent, First extends Event['type']> = EventMap<
  Exclude<Event, { readonly type: First }>,
  [row: Row, streamId: string],
  Partial<Row>
>;

/** `apply` of a projection whose rows follow from these events, and from no others. */
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

/** `apply`, each of whose rows says when its last event happened. */
export const dated =
  <Row extends ProjectedRow & { readonly updated_at: string }>(
    apply: (row: Row | null, event: RecordedEvent) => Row | null,
  ) =>
  (row: Row | null, recorded: RecordedEvent): Row | null => {
    const after = apply(row, recorded);
    return after && { ...after, updated_at: String(recorded.data['at']) };
  };
