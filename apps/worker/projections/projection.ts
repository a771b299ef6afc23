import type { RecordedEvent, StreamType } from '#event-store';

/** What every projected row has: the version of the stream that it shows. */
export interface ProjectedRow {
  readonly version: number;
}

/** `event_id` is the primary key of a journal's table. */
export interface JournalEntry {
  readonly event_id: string;
}

/** What a journal's entries come to, kept as they are written: nobody adds up all of history. */
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
}

export const cursorNameOf = ({ name }: { readonly name: string }): string => `projection:${name}`;
