import type { Pool } from 'pg';
import { randomUUID } from 'node:crypto';
import { inTransaction } from '#log';
import type { ListQuery } from '#lists';
import type { EXPORT_FAILURES } from './exports.js';

/** An export that this process writes. */
export interface ClaimedExport {
  readonly id: string;
  readonly claim: string;
  readonly list: string;
  readonly query: ListQuery;
  /** The cursor of the next page; null: the first page. */
  readonly cursor: string | null;
  readonly rows: number;
}

/** A part of a file with the number of its rows. */
export interface Chunk {
  readonly text: string;
  readonly rows: number;
  /** The cursor of the next page; null if this is the last chunk of the file. */
  readonly nextCursor: string | null;
}

/**
 * How long a process's claim on an export lasts after each written chunk, in seconds of wall-clock
 * time.
 */
const HELD_S = 30;
/** The number of attempts to write the same page of a file before the export fails. */
const MAX_ATTEMPTS = 5;

/** The claims of processes on exports. Only the holder of the newest claim writes to an export. */
export class ExportClaims {
  constructor(private readonly pool: Pool) {}

  /** Claims the oldest export of these lists that no process holds. */
  async claim(lists: readonly string[]): Promise<ClaimedExport | null> {
    const { rows } = await this.pool.query<ClaimedExport & { readonly attempts: number }>(
      `UPDATE admin_exports
          SET claim = $1, attempts = attempts + 1,
              held_until = clock_timestamp() + make_interval(secs => ${HELD_S})
        WHERE id = (SELECT id FROM admin_exports
                     WHERE state = 'running' AND list = ANY ($2)
                       AND (held_until IS NULL OR held_until < clock_timestamp())
                     ORDER BY requested_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, claim, list, query, next_cursor AS cursor, row_count AS rows, attempts`,
      [randomUUID(), lists],
    );
    const [claimed] = rows;
    if (claimed === undefined) return null;
    if (claimed.attempts <= MAX_ATTEMPTS) return claimed;
    await this.fail(claimed, 'error');
    return null;
  }

  /**
   * Adds a chunk to the file of an export; the last chunk also ends the export. @returns false if
   * the claim was lost
   */
  add({ id, claim }: ClaimedExport, { text, rows, nextCursor }: Chunk): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rows: changed } = await client.query<{ number: number }>(
        `UPDATE admin_exports
            SET row_count = row_count + $3, bytes = bytes + $4, chunks = chunks + 1, attempts = 0,
                next_cursor = $5, state = CASE WHEN $5::text IS NULL THEN 'ready' ELSE state END,
                held_until = clock_timestamp() + make_interval(secs => ${HELD_S})
          WHERE id = $1 AND claim = $2 AND state = 'running'
         RETURNING chunks - 1 AS number`,
        [id, claim, rows, Buffer.byteLength(text), nextCursor],
      );
      const [chunk] = changed;
      if (chunk === undefined) return false;
      await client.query('INSERT INTO admin_export_chunks VALUES ($1, $2, $3)', [
        id,
        chunk.number,
        text,
      ]);
      return true;
    });
  }

  /** Ends an export without a file. */
  async fail(
    { id, claim }: Pick<ClaimedExport, 'id' | 'claim'>,
    failure: (typeof EXPORT_FAILURES)[number],
  ): Promise<void> {
    await this.pool.query(
      `WITH failed AS (
         UPDATE admin_exports SET state = 'failed', failure = $3
          WHERE id = $1 AND claim = $2 AND state = 'running' RETURNING id)
       DELETE FROM admin_export_chunks WHERE export_id IN (SELECT id FROM failed)`,
      [id, claim, failure],
    );
  }

  /** Releases the claim, so that another process continues the export immediately. */
  async release({ id, claim }: ClaimedExport): Promise<void> {
    await this.pool.query(
      `UPDATE admin_exports SET held_until = NULL, attempts = 0 WHERE id = $1 AND claim = $2`,
      [id, claim],
    );
  }

  async deleteExpired(): Promise<void> {
    await this.pool.query('DELETE FROM admin_exports WHERE expires_at < clock_timestamp()');
  }
}
