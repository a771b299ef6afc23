import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EVENT_COLUMNS, type EventRow, type LogEntry, logEntry } from './event-row.js';
import type { StreamRef } from './log-storage.js';
import type { LogCursor } from './stream.js';
import { type EventRef, isKnownEvent, type Upcasters } from './upcast.js';

/**
 * Reads the whole log in one order that never changes, and only as far as it can no longer change:
 * below the oldest transaction that still runs on the server. A gap is never waited for or skipped
 * by wall clock. A long write transaction, in any database of the server, holds this back.
 */
@Injectable()
export class LogReader {
  constructor(
    private readonly pool: Pool,
    private readonly upcasters: Upcasters,
  ) {}

  /** Whether this release can read such an event. */
  knows(event: Pick<EventRef, 'type' | 'schemaVersion'>): boolean {
    return isKnownEvent(this.upcasters, event);
  }

  /** The next events after the cursor, at most `limit`; empty when there is nothing to read yet. */
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

  /** A stream's events from `version` on, as far as the log had come at `until`; null: all. */
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

  /** Where the readable log ends now: a reader that begins here sees only what comes later. */
  async end(): Promise<LogCursor> {
    const { rows } = await this.pool.query<{ epoch: number; xmin: string }>(
      `SELECT epoch, pg_snapshot_xmin(pg_current_snapshot())::text AS xmin FROM log_identity`,
    );
    const { epoch, xmin } = rows[0] ?? { epoch: 0, xmin: '0' };
    return { epoch, transactionId: xmin, position: '0' };
  }
}
