import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Instant } from '#kernel';
import { EVENT_COLUMNS, type EventRow, isNewer, type LogEntry, logEntry } from './event-row.js';
import type { StreamRef } from './log-storage.js';
import { LOG_START, type LogCursor, type RecordedEvent, timeOf } from './stream.js';
import { type EventRef, isKnownEvent, type Upcasters } from './upcast.js';

/** A filter for the events of one platform. */
export interface PlatformFilter {
  /** The event types; undefined: all. */
  readonly types?: readonly string[] | undefined;
  readonly merchantId?: string | undefined;
  /** The earliest time of the event. */
  readonly since?: Instant | undefined;
}

/** The end of the readable part of the log. */
interface LogEnd {
  /**
   * The position of the newest readable event; a consumer that begins here reads only later events.
   * Only such a position may be kept: a crash of PostgreSQL loses no event that was readable, so no
   * later event gets an earlier position.
   */
  readonly newest: LogCursor;
  /**
   * Every readable event is before this position. It may be after events that are committed later:
   * after a crash, PostgreSQL assigns transaction ids again of which it had written nothing to disk.
   */
  readonly bound: LogCursor;
}

export interface PlatformPage {
  readonly events: readonly RecordedEvent[];
  /** The position after which the next page begins. */
  readonly next: LogCursor;
  /** Whether no more events can be read now. */
  readonly isEnd: boolean;
  /** Whether the page ends before an event that only a newer release can read. */
  readonly isBlocked: boolean;
}

/** The maximum number of events that are read for one page with a filter. */
const SCANNED = 1_000;
/**
 * How much earlier the time of an event may be than the time of an event before it in the log. It
 * exceeds the differences between the clocks of processes and the duration of a step by far.
 */
const MAX_DISORDER_MS = 3_600_000;
const MAX_TRANSACTION = 2n ** 63n - 1n;

/**
 * Uses the index `events_of_platform`. The limits of the range contain the platform, so that
 * PostgreSQL can use no other index.
 */
export const READ_PLATFORM = `
  SELECT ${EVENT_COLUMNS} FROM events
   WHERE metadata ->> 'platformId' = $1
     AND (metadata ->> 'platformId', epoch, transaction_id, position) > ($1, $2, $3::xid8, $4)
     AND (metadata ->> 'platformId', epoch, transaction_id, position) < ($1, $5, $6::xid8, $7)
   ORDER BY epoch, transaction_id, position
   LIMIT $8`;

const matches = (event: RecordedEvent, { types, merchantId, since }: PlatformFilter): boolean =>
  (types === undefined || types.includes(event.type)) &&
  (merchantId === undefined || event.metadata.merchantId === merchantId) &&
  (since === undefined || timeOf(event) >= since);

/**
 * Reads the whole log in an order that never changes. It reads only up to the oldest running
 * transaction of the server, so that no event can appear before an event that was already read. So
 * the reader need not wait for gaps in the positions, nor skip them. A long transaction that
 * writes, in any database of the server, delays the reader.
 */
@Injectable()
export class LogReader {
  constructor(
    private readonly pool: Pool,
    private readonly upcasters: Upcasters,
  ) {}

  /** Whether this release can read the type and schema version of an event. */
  knows(event: Pick<EventRef, 'type' | 'schemaVersion'>): boolean {
    return isKnownEvent(this.upcasters, event);
  }

  /** At most `limit` events after the cursor; empty if no more events are readable yet. */
  async readAfter(cursor: LogCursor, limit: number): Promise<readonly LogEntry[]> {
    const { rows } = await this.pool.query<EventRow>({
      name: 'read-after',
      text: `SELECT ${EVENT_COLUMNS} FROM events
              WHERE (epoch, transaction_id, position) > ($1, $2::xid8, $3)
                AND (epoch < (SELECT epoch FROM log_identity)
                     OR transaction_id < pg_snapshot_xmin(pg_current_snapshot()))
              ORDER BY epoch, transaction_id, position
              LIMIT $4`,
      values: [cursor.epoch, cursor.transactionId, cursor.position, limit],
    });
    return rows.map((row) => logEntry(row, this.upcasters));
  }

  /**
   * The events of a stream from `version` on, up to the log position `until`; null: up to the end.
   */
  async readStreamFrom(
    { streamType, streamId }: { readonly [Key in keyof StreamRef]: string },
    version: number,
    until: LogCursor | null,
  ): Promise<readonly LogEntry[]> {
    const { rows } = await this.pool.query<EventRow>({
      name: 'read-stream-from',
      text: `SELECT ${EVENT_COLUMNS} FROM events
              WHERE stream_type = $1 AND stream_id = $2 AND version >= $3
                AND ($4::int IS NULL OR (epoch, transaction_id, position) <= ($4, $5::xid8, $6))
              ORDER BY version`,
      values: [streamType, streamId, version, until?.epoch, until?.transactionId, until?.position],
    });
    return rows.map((row) => logEntry(row, this.upcasters));
  }

  /**
   * At most `limit` events of a platform after the cursor. A page with a filter may have fewer
   * events, or none, although more follow. Events that release 0.2.0 and earlier
   * releases recorded name no platform, so they are not returned. The page ends before an event
   * that only a newer release can read, because no event may be skipped.
   */
  async readPlatform(
    platformId: string,
    filter: PlatformFilter,
    after: LogCursor,
    limit: number,
  ): Promise<PlatformPage> {
    // The end is read first, so that the next statement can read every event before the end.
    const end = await this.end();
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const most = isFiltered ? SCANNED : limit + 1;
    const rows = await this.rowsOfPlatform(platformId, after, end.bound, most);
    const events: RecordedEvent[] = [];
    let next = after;
    for (const row of rows) {
      if (events.length === limit) return { events, next, isEnd: false, isBlocked: false };
      const entry = logEntry(row, this.upcasters);
      if (isNewer(entry)) return { events, next, isEnd: true, isBlocked: true };
      next = entry.cursor;
      if (matches(entry, filter)) events.push(entry);
    }
    const isEnd = rows.length < most;
    if (isEnd) next = end.newest;
    return { events, next, isEnd, isBlocked: false };
  }

  /**
   * A position before which a platform has no event at or after `since`. It is found by halving the
   * range of transactions, because the times of events ascend with the log, except for differences
   * of less than an hour.
   */
  async startOf(platformId: string, since: Instant): Promise<LogCursor> {
    const { bound: end } = await this.end();
    const latest = new Date(Date.parse(since) - MAX_DISORDER_MS).toISOString();
    const isEarly = async (after: LogCursor): Promise<boolean> => {
      const [row] = await this.rowsOfPlatform(platformId, after, end, 1);
      if (row === undefined) return false;
      return timeOf({ data: row.data, recordedAt: row.recorded_at.toISOString() }) < latest;
    };
    for (let { epoch } = end; epoch > LOG_START.epoch; epoch = await this.epochBefore(epoch)) {
      const at = (transactionId: bigint): LogCursor => ({
        epoch,
        transactionId: String(transactionId),
        position: '0',
      });
      if (!(await isEarly(at(0n)))) continue;
      let early = 0n;
      let late = epoch === end.epoch ? BigInt(end.transactionId) : MAX_TRANSACTION;
      while (late - early > 1n) {
        const middle = (early + late) / 2n;
        if (await isEarly(at(middle))) early = middle;
        else late = middle;
      }
      return at(early);
    }
    return LOG_START;
  }

  /** The newest epoch before this one that has events. */
  private async epochBefore(epoch: number): Promise<number> {
    const { rows } = await this.pool.query<{ epoch: number | null }>(
      'SELECT max(epoch) AS epoch FROM events WHERE epoch < $1',
      [epoch],
    );
    return rows[0]?.epoch ?? LOG_START.epoch;
  }

  private async rowsOfPlatform(
    platformId: string,
    after: LogCursor,
    end: LogCursor,
    most: number,
  ): Promise<readonly EventRow[]> {
    const { rows } = await this.pool.query<EventRow>({
      name: 'read-platform',
      text: READ_PLATFORM,
      values: [
        platformId,
        after.epoch,
        after.transactionId,
        after.position,
        end.epoch,
        end.transactionId,
        end.position,
        most,
      ],
    });
    return rows;
  }

  async end(): Promise<LogEnd> {
    // Not a prepared statement, because its plan could be one for a log with few events.
    const { rows } = await this.pool.query<Record<keyof LogEnd, LogCursor | null>>(`
        SELECT json_build_object('epoch', l.epoch, 'transactionId', s.oldest::text, 'position', '0')
                 AS bound,
               (SELECT json_build_object('epoch', e.epoch, 'transactionId', e.transaction_id::text,
                                         'position', e.position::text)
                  FROM events e
                 WHERE (e.epoch, e.transaction_id) < (l.epoch, s.oldest)
                 ORDER BY e.epoch DESC, e.transaction_id DESC, e.position DESC
                 LIMIT 1) AS newest
          FROM log_identity l, pg_snapshot_xmin(pg_current_snapshot()) AS s (oldest)`);
    return { newest: rows[0]?.newest ?? LOG_START, bound: rows[0]?.bound ?? LOG_START };
  }
}
