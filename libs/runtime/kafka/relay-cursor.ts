import type { Pool } from 'pg';
import {
  blockedRows,
  blockedStreams,
  blockStreamsSql,
  type EventRef,
  LOG_START,
  type LogCursor,
  type NewerEvent,
} from '#log';
import { LeaseLost } from './lease.js';

const valuesOf = ({ epoch, transactionId, position }: LogCursor): readonly unknown[] => [
  epoch,
  transactionId,
  position,
];

/**
 * The position of a log consumer. Only the newest holder of the consumer's lease can move the
 * cursor.
 */
export class FencedCursor {
  constructor(
    private readonly pool: Pool,
    readonly name: string,
  ) {}

  /**
   * Writes the token of the new holder to the row: from now on no earlier holder can move the
   * cursor.
   * @throws LeaseLost if a later holder has already written its token.
   */
  async takeOver(token: string): Promise<LogCursor> {
    const { rows } = await this.pool.query<LogCursor>(
      `INSERT INTO log_cursors AS c (name, epoch, transaction_id, position, token)
       VALUES ($1, $2, $3::xid8, $4, $5)
       ON CONFLICT (name) DO UPDATE SET token = excluded.token WHERE c.token <= excluded.token
       RETURNING epoch, transaction_id AS "transactionId", position`,
      [this.name, ...valuesOf(LOG_START), token],
    );
    if (!rows[0])
      throw new LeaseLost(`the cursor ${this.name} belongs to a later holder of the lease`);
    return rows[0];
  }

  /**
   * The cursor's position. It must be read before each batch and not be kept in memory: a standby
   * that is promoted may not have the last moves of the cursor, nor the events before them.
   */
  async position(): Promise<LogCursor> {
    const { rows } = await this.pool.query<LogCursor>({
      name: 'cursor-position',
      text: `SELECT epoch, transaction_id AS "transactionId", position FROM log_cursors
              WHERE name = $1`,
      values: [this.name],
    });
    return rows[0] ?? LOG_START;
  }

  /**
   * Moves the cursor to the position of an event, if the token is the newest and the cursor is still
   * at `from`. The commit does not wait for the disk: after a crash of the database server the
   * cursor may be at an earlier position, and some events are then published again, which is
   * allowed. `newly` are the streams that become blocked because the cursor moves past their unknown
   * events.
   * @throws LeaseLost if the token is not the newest, if the cursor is at another position, or if the
   * event does not exist: a standby that lacks it may have been promoted after the event was read.
   */
  async move(
    token: string,
    from: LogCursor,
    to: LogCursor,
    newly: readonly NewerEvent[] = [],
  ): Promise<void> {
    if (newly.length > 0) await this.block(token, newly);
    const { rowCount } = await this.pool.query({
      name: 'cursor-move',
      text: `UPDATE log_cursors
                SET epoch = $6, transaction_id = $7::xid8, position = $8,
                    moved_at = clock_timestamp()
               FROM set_config('synchronous_commit', 'off', true)
              WHERE name = $1 AND token = $2
                AND (epoch, transaction_id, position) = ($3, $4::xid8, $5)
                AND EXISTS (SELECT FROM events e
                             WHERE (e.epoch, e.transaction_id, e.position) = ($6, $7::xid8, $8))`,
      values: [this.name, token, ...valuesOf(from), ...valuesOf(to)],
    });
    if (rowCount !== 1)
      throw new LeaseLost(
        `the cursor ${this.name} or the log has changed, or a later holder of the lease has the cursor`,
      );
  }

  /**
   * Stores the id of a topic that contains all events up to the cursor.
   * @throws LeaseLost if the token is not the newest.
   */
  async keepTopicId(token: string, topic: string, id: string): Promise<void> {
    const { rowCount } = await this.pool.query(
      `UPDATE log_cursors SET topic_ids = topic_ids || jsonb_build_object($3::text, $4::text)
        WHERE name = $1 AND token = $2`,
      [this.name, token, topic, id],
    );
    if (rowCount !== 1)
      throw new LeaseLost(`the cursor ${this.name} belongs to a later holder of the lease`);
  }

  /** The blocked streams. */
  blocked(): Promise<readonly EventRef[]> {
    return blockedStreams(this.pool, this.name);
  }

  /**
   * Records that the events of a blocked stream were published up to `next`, which is now its first
   * unknown event; null: all events of the stream were published.
   * @throws LeaseLost if the token is not the newest.
   */
  async release(
    token: string,
    { streamType, streamId }: EventRef,
    next: EventRef | null,
  ): Promise<void> {
    const stream = [this.name, token, streamType, streamId];
    const mine = `WHERE b.reader = $1 AND b.stream_type = $3 AND b.stream_id = $4
                    AND c.name = $1 AND c.token = $2`;
    const { rowCount } =
      next === null
        ? await this.pool.query(`DELETE FROM blocked_streams b USING log_cursors c ${mine}`, stream)
        : await this.pool.query(
            `UPDATE blocked_streams b SET version = $5, type = $6, schema_version = $7
           FROM log_cursors c ${mine}`,
            [...stream, next.version, next.type, next.schemaVersion],
          );
    if (rowCount !== 1)
      throw new LeaseLost(`the cursor ${this.name} belongs to a later holder of the lease`);
  }

  /**
   * Stores newly blocked streams durably, before the cursor moves past the events that block them.
   */
  private async block(token: string, newly: readonly NewerEvent[]): Promise<void> {
    await this.pool.query(
      `${blockStreamsSql('$1', '$3')}
        WHERE EXISTS (SELECT FROM log_cursors c WHERE c.name = $1 AND c.token = $2)
           ON CONFLICT (reader, stream_type, stream_id) DO NOTHING`,
      [this.name, token, blockedRows(newly)],
    );
  }
}
