import { LOG_START, type LogCursor, type LogReader, type RecordedEvent } from '#event-store';
import { assert } from '#kernel';
import type { Pool } from 'pg';
import { moveCursors } from './cursor-moves.js';
import {
  cursorNameOf, type Journal, type JournalEntry, type ProjectedRow, type Projection,
} from './projection.js';

export const CHUNK_EVENTS = 500;

const START = `
  INSERT INTO log_cursors (name, epoch, transaction_id, position)
  VALUES ($1, $2, $3::xid8, $4) ON CONFLICT (name) DO NOTHING`;

/** An entry that is there already adds nothing to the balances either. */
const noteEntries = <Row extends ProjectedRow>(
  { table, columns, balances: { table: sums, keyColumns, sumColumns } }: Journal<Row>, suffix: string,
): string => `, noted AS (
    INSERT INTO ${table}${suffix} (${columns.join(', ')})
    SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${table}${suffix}, $9::jsonb)
     WHERE EXISTS (SELECT FROM moved)
        ON CONFLICT (event_id) DO NOTHING
    RETURNING ${[...keyColumns, ...sumColumns].join(', ')}),
  added AS (
    INSERT INTO ${sums}${suffix} AS b (${[...keyColumns, ...sumColumns].join(', ')})
    SELECT ${[...keyColumns, ...sumColumns.map((column) => `sum(${column})`)].join(', ')}
      FROM noted GROUP BY ${keyColumns.join(', ')}
        ON CONFLICT (${keyColumns.join(', ')}) DO UPDATE
       SET ${sumColumns.map((one) => `${one} = b.${one} + excluded.${one}`).join(', ')})`;

/**
 * One chunk in one statement: the cursor moves only from where the chunk was read, and the rows are
 * written only if it moved. So of two projectors at the same place one counts, and the other reads
 * on from where that one came to. As with every reader of the log, the commit need not be on disk:
 * cursor and rows come back together.
 */
const writeChunk = <Row extends ProjectedRow>(
  { name, keyColumn, columns, journal }: Projection<Row>, suffix: string,
): string => `
  WITH moved AS (
    UPDATE log_cursors SET epoch = $2, transaction_id = $3::xid8, position = $4,
           moved_at = clock_timestamp()
      FROM set_config('synchronous_commit', 'off', true)
     WHERE name = $1 AND epoch = $5 AND transaction_id = $6::xid8 AND position = $7
    RETURNING 1),
  written AS (
    INSERT INTO ${name}${suffix} AS t (${columns.join(', ')})
    SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${name}${suffix}, $8::jsonb)
     WHERE EXISTS (SELECT FROM moved)
        ON CONFLICT (${keyColumn}) DO UPDATE
       SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
     WHERE excluded.version > t.version)
  ${journal === undefined ? '' : noteEntries(journal, suffix)}
  SELECT count(*)::int AS moved FROM moved`;

/** What a chunk of events makes of a projection. */
interface Written<Row> {
  readonly rows: readonly Row[];
  readonly entries: readonly JournalEntry[];
}

/** Carries a projection on from the log, chunk by chunk. */
export class Projector<Row extends ProjectedRow = ProjectedRow> {
  readonly cursorName: string;
  private readonly table: string;
  private position: LogCursor | null = null;

  /** `suffix` of the names of its tables: of those that are built beside the ones in use. */
  constructor(
    private readonly pool: Pool,
    private readonly reader: Pick<LogReader, 'readAfter'>,
    private readonly projection: Projection<Row>,
    private readonly suffix = '',
  ) {
    this.table = `${projection.name}${suffix}`;
    this.cursorName = cursorNameOf({ name: this.table });
  }

  /** Takes in the next events; answers how many they were, 0 at the end of the log. */
  async chunk(): Promise<number> {
    const from = await this.place();
    const events = await this.reader.readAfter(from, CHUNK_EVENTS);
    const end = events.at(-1)?.cursor;
    if (end === undefined) return 0;
    if (!(await this.takeIn(from, events))) await moveCursors(this.pool, [this], from, end);
    return events.length;
  }

  /** Where the cursor stands, as far as this process knows. */
  async place(): Promise<LogCursor> {
    return (this.position ??= await this.readCursor());
  }

  /** The cursor was moved; null when somebody else had moved it before: it is read again. */
  standAt(place: LogCursor | null): void {
    this.position = place;
  }

  /**
   * Writes what the events that follow on `from` change, and moves the cursor with it. False where
   * they change nothing: then only the cursor is left to move.
   */
  async takeIn(from: LogCursor, events: readonly RecordedEvent[]): Promise<boolean> {
    const end = events.at(-1)?.cursor;
    assert(end !== undefined, 'there are events to take in');
    const written = await this.writtenBy(events);
    if (written.rows.length === 0 && written.entries.length === 0) return false;
    this.standAt((await this.write(from, end, written)) ? end : null);
    return true;
  }

  private async writtenBy(events: readonly RecordedEvent[]): Promise<Written<Row>> {
    const { streamTypes, apply, journal } = this.projection;
    const own = events.filter(({ streamType }) => streamTypes.includes(streamType));
    if (own.length === 0) return { rows: [], entries: [] };
    const rows = await this.load([...new Set(own.map(({ streamId }) => streamId))]);
    const entries: JournalEntry[] = [];
    for (const event of own) {
      const before = rows.get(event.streamId) ?? null;
      if (before !== null && before.version >= event.version) continue;
      const after = apply(before, event);
      if (after === null) continue;
      rows.set(event.streamId, after);
      const entry = journal?.entryOf(before, after, event) ?? null;
      if (entry !== null) entries.push(entry);
    }
    return { rows: [...rows.values()], entries };
  }

  private async load(keys: readonly string[]): Promise<Map<string, Row>> {
    const { table, projection: { keyColumn } } = this;
    const { rows } = await this.pool.query<{ key: string; row: Row }>({
      name: `load-${table}`,
      text: `SELECT ${keyColumn} AS key, to_jsonb(t) AS row FROM ${table} t
              WHERE ${keyColumn} = ANY ($1)`,
      values: [keys],
    });
    return new Map(rows.map(({ key, row }) => [key, row]));
  }

  private async write(
    from: LogCursor, to: LogCursor, { rows, entries }: Written<Row>,
  ): Promise<boolean> {
    const { table, cursorName } = this;
    const result = await this.pool.query<{ moved: number }>({
      name: `write-${table}`,
      text: writeChunk(this.projection, this.suffix),
      values: [
        cursorName, to.epoch, to.transactionId, to.position,
        from.epoch, from.transactionId, from.position, JSON.stringify(rows),
        ...(this.projection.journal === undefined ? [] : [JSON.stringify(entries)]),
      ],
    });
    return result.rows[0]?.moved === 1;
  }

  private async readCursor(): Promise<LogCursor> {
    const { cursorName } = this;
    const { epoch, transactionId, position } = LOG_START;
    await this.pool.query(START, [cursorName, epoch, transactionId, position]);
    const { rows } = await this.pool.query<{ epoch: number; id: string; position: string }>(
      `SELECT epoch, transaction_id::text AS id, position::text FROM log_cursors WHERE name = $1`,
      [cursorName],
    );
    const [row] = rows;
    if (!row) return LOG_START;
    return { epoch: row.epoch, transactionId: row.id, position: row.position };
  }
}
