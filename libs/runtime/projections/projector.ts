import {
  blockedKey,
  blockedRows,
  blockedStreams,
  blockStreamsSql,
  type EventRef,
  inTransaction,
  isNewer,
  LOG_START,
  type LogCursor,
  type LogEntry,
  type LogReader,
  type NewerEvent,
  type RecordedEvent,
} from '#log';
import { assert } from '#kernel';
import { firstRow } from '#platform';
import type { Pool, PoolClient } from 'pg';
import { cursorNameOf, type ProjectedRow, type Projection } from './projection.js';
import { writeChunk, writeReleased } from './write-sql.js';

const START = `
  INSERT INTO log_cursors (name, epoch, transaction_id, position)
  VALUES ($1, $2, $3::xid8, $4) ON CONFLICT (name) DO NOTHING`;

const CURSOR = `
  SELECT l.epoch AS "logEpoch",
         EXISTS (SELECT FROM blocked_streams b WHERE b.reader = c.name) AS "hasBlocked",
         CASE WHEN c.name IS NOT NULL THEN
           json_build_object('epoch', c.epoch, 'transactionId', c.transaction_id::text,
                             'position', c.position::text)
         END AS place
    FROM log_identity l LEFT JOIN log_cursors c ON c.name = $1`;

interface StoredCursor {
  readonly logEpoch: number;
  readonly hasBlocked: boolean;
  /** Null if the projection has not begun. */
  readonly place: LogCursor | null;
}

/** What a chunk of events changes in a projection. */
interface Written<Row> {
  readonly rows: readonly Row[];
  readonly entries: readonly object[];
}

/** A chunk of the events that this release can process; the others wait for a newer release. */
interface Readable {
  readonly events: readonly RecordedEvent[];
  /** The streams that become blocked in this chunk. */
  readonly newly: readonly NewerEvent[];
  /** The events of streams that were already blocked before this chunk. */
  readonly skipped: readonly EventRef[];
}

const HOLD = `
  SELECT FROM blocked_streams b
    JOIN unnest($2::text[], $3::text[]) AS s(type, id) ON b.stream_type = s.type AND b.stream_id = s.id
   WHERE b.reader = $1 FOR SHARE OF b`;

/**
 * Applies chunks of events to one projection, and stores the projection's position in the log. An
 * event that only a newer release can read blocks its stream from this event on; other streams
 * continue. A process of the newer release processes the blocked events later.
 */
export class Projector<Row extends ProjectedRow = ProjectedRow> {
  readonly cursorName: string;
  private readonly table: string;
  private position: LogCursor | null = null;
  /**
   * The epoch of the log when the cursor was read. A chunk is written only in this epoch: events
   * that were read in an earlier one may have been lost by a restore since.
   */
  private logEpoch = LOG_START.epoch;
  /** The blocked streams. They are read each time that the cursor is read. */
  private held: ReadonlyMap<string, EventRef> = new Map();

  /**
   * `suffix` is added to the names of the tables and the cursor while the projection is rebuilt.
   */
  constructor(
    private readonly pool: Pool,
    private readonly reader: Pick<LogReader, 'knows' | 'readStreamFrom'>,
    private readonly projection: Projection<Row>,
    private readonly suffix: string,
  ) {
    this.table = `${projection.name}${suffix}`;
    this.cursorName = cursorNameOf({ name: this.table });
  }

  /** The position of the cursor, from this process's cache if possible. */
  async place(): Promise<LogCursor> {
    return (this.position ??= await this.readCursor());
  }

  /**
   * Sets the cached position after the cursor was moved. Null if another process has moved the
   * cursor: the position is then read again.
   */
  standAt(place: LogCursor | null): void {
    this.position = place;
  }

  /**
   * Writes what the events after `from` change, and moves the cursor in the same statement. Returns
   * false if these events change nothing: the caller must then move the cursor.
   */
  async takeIn(from: LogCursor, entries: readonly LogEntry[]): Promise<boolean> {
    const end = entries.at(-1)?.cursor;
    assert(end !== undefined, 'the chunk has events');
    const readable = this.readable(entries);
    const { newly, skipped } = readable;
    const written = await this.writtenBy(this.pool, readable.events);
    if (newly.length > 0 || skipped.length > 0) {
      const moved = await this.writeHolding(from, end, written, readable);
      this.standAt(moved ? end : null);
      this.held = new Map([...this.held, ...newly.map((one) => [blockedKey(one), one] as const)]);
      return true;
    }
    if (written.rows.length === 0 && written.entries.length === 0) return false;
    this.standAt((await this.write(this.pool, from, end, written)) ? end : null);
    return true;
  }

  /** The events of the stream types from which the projection is computed. */
  private readable(entries: readonly LogEntry[]): Readable {
    const types: readonly string[] = this.projection.streamTypes;
    const events: RecordedEvent[] = [];
    const newly = new Map<string, NewerEvent>();
    const skipped = new Map<string, EventRef>();
    for (const entry of entries) {
      if (!types.includes(entry.streamType)) continue;
      const key = blockedKey(entry);
      const held = this.held.get(key);
      if (held !== undefined) skipped.set(key, held);
      else if (isNewer(entry) && !newly.has(key)) newly.set(key, entry);
      else if (!isNewer(entry) && !newly.has(key)) events.push(entry);
    }
    return { events, newly: [...newly.values()], skipped: [...skipped.values()] };
  }

  private async writtenBy(
    on: Pool | PoolClient,
    own: readonly RecordedEvent[],
  ): Promise<Written<Row>> {
    const { apply, journal } = this.projection;
    if (own.length === 0) return { rows: [], entries: [] };
    const rows = await this.load(on, [...new Set(own.map(({ streamId }) => streamId))]);
    const entries: object[] = [];
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

  private async load(on: Pool | PoolClient, keys: readonly string[]): Promise<Map<string, Row>> {
    const {
      table,
      projection: { keyColumn },
    } = this;
    const { rows } = await on.query<{ key: string; row: Row }>({
      name: `load-${table}`,
      text: `SELECT ${keyColumn} AS key, to_jsonb(t) AS row FROM ${table} t
              WHERE ${keyColumn} = ANY ($1)`,
      values: [keys],
    });
    return new Map(rows.map(({ key, row }) => [key, row]));
  }

  /** The rows for the statement, which compares them with the stored rows in the database. */
  private valuesOf({ rows, entries }: Written<Row>): readonly string[] {
    const { journal, parts = [] } = this.projection;
    return [
      rows,
      ...(journal === undefined ? [] : [entries]),
      ...parts.map((part) => rows.flatMap((row) => part.of(row))),
    ].map((one) => JSON.stringify(one));
  }

  private async write(
    on: Pool | PoolClient,
    from: LogCursor,
    to: LogCursor,
    written: Written<Row>,
  ): Promise<boolean> {
    const { table, cursorName } = this;
    const result = await on.query<{ moved: number }>({
      name: `write-${table}`,
      text: writeChunk(this.projection, this.suffix),
      values: [
        cursorName,
        to.epoch,
        to.transactionId,
        to.position,
        from.epoch,
        from.transactionId,
        from.position,
        this.logEpoch,
        ...this.valuesOf(written),
      ],
    });
    return result.rows[0]?.moved === 1;
  }

  /**
   * Like `write`, but only if the streams whose events are skipped are still blocked. A process
   * that has unblocked such a stream has also processed the stream's events.
   */
  private writeHolding(
    from: LogCursor,
    to: LogCursor,
    written: Written<Row>,
    { newly, skipped }: Readable,
  ): Promise<boolean> {
    const { cursorName } = this;
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(HOLD, [
        cursorName,
        skipped.map((one) => one.streamType),
        skipped.map((one) => one.streamId),
      ]);
      if (rowCount !== skipped.length) return false;
      if (!(await this.write(client, from, to, written))) return false;
      await client.query(blockStreamsSql('$1', '$2'), [cursorName, blockedRows(newly)]);
      return true;
    });
  }

  /** Processes the events of a blocked stream, and unblocks the stream. */
  private async release(stream: EventRef): Promise<void> {
    const { streamType, streamId } = stream;
    const { cursorName } = this;
    await inTransaction(this.pool, async (client) => {
      // With this lock, no process is still skipping events of the stream, so the stream can be
      // read completely.
      const held = await firstRow<{ version: number }>(
        client,
        `SELECT version FROM blocked_streams
          WHERE reader = $1 AND stream_type = $2 AND stream_id = $3 FOR UPDATE`,
        [cursorName, streamType, streamId],
      );
      if (held === undefined) return;
      const { events, newly } = this.readable(
        await this.reader.readStreamFrom(stream, held.version, null),
      );
      const written = await this.writtenBy(client, events);
      const values = [cursorName, streamType, streamId, ...this.valuesOf(written)];
      await client.query(writeReleased(this.projection, this.suffix), values);
      await client.query(blockStreamsSql('$1', '$2'), [cursorName, blockedRows(newly)]);
    });
  }

  /**
   * Processes the blocked events that this release can read, and then reads which streams are still
   * blocked.
   */
  private async readHeld(): Promise<ReadonlyMap<string, EventRef>> {
    this.held = new Map();
    const blocked = await blockedStreams(this.pool, this.cursorName);
    const readable = blocked.filter((one) => this.reader.knows(one));
    for (const one of readable) await this.release(one);
    const left = readable.length === 0 ? blocked : await blockedStreams(this.pool, this.cursorName);
    return new Map(left.map((one) => [blockedKey(one), one]));
  }

  private async readCursor(): Promise<LogCursor> {
    const { cursorName } = this;
    const row = await firstRow<StoredCursor>(this.pool, CURSOR, [cursorName]);
    assert(row !== undefined, 'the log has an identity');
    this.logEpoch = row.logEpoch;
    // The position and `hasBlocked` are read in one snapshot, so no stream is missed that was
    // blocked when the cursor was moved to this position.
    this.held = row.hasBlocked ? await this.readHeld() : new Map();
    if (row.place !== null) return row.place;
    const { epoch, transactionId, position } = LOG_START;
    await this.pool.query(START, [cursorName, epoch, transactionId, position]);
    return LOG_START;
  }
}
