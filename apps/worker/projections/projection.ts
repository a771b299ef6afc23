import type { RecordedEvent, StreamType } from '#event-store';

/** What every projected row has: the version of the stream that it shows. */
export interface ProjectedRow {
  readonly version: number;
}

/** A table that follows from the log, one row for each stream of a type. */
export interface Projection<Row extends ProjectedRow = ProjectedRow> {
  /** The table's name; the cursor's name follows from it. */
  readonly name: string;
  readonly streamType: StreamType;
  /** The column of the stream's id: the table's primary key. */
  readonly keyColumn: string;
  /** Of the row, all. */
  readonly columns: readonly string[];
  /**
   * The stream's row after one more event; null while there is none. Pure. A method, so that those
   * of different rows fit in one catalogue: each is given the rows of its own table only.
   */
  apply(row: Row | null, event: RecordedEvent): Row | null;
}

export const cursorNameOf = ({ name }: { readonly name: string }): string => `projection:${name}`;
