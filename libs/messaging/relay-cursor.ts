import type { Pool } from 'pg';
import { LOG_START, type LogCursor } from '#event-store';
import { LeaseLost } from './lease.js';

interface CursorRow {
  readonly epoch: number;
  readonly transaction_id: string;
  readonly position: string;
}

const fromRow = (row: CursorRow): LogCursor => ({
  epoch: row.epoch, transactionId: row.transaction_id, position: row.position,
});

/** How far a reader of the log has come, moved only by the newest holder of its lease. */
export class FencedCursor {
  constructor(
    private readonly pool: Pool,
    readonly name: string,
  ) {}

  /**
   * Writes the new holder's token into the row: from here on no earlier holder can move it.
   *
   * @throws LeaseLost when a later holder was here before.
   */
  async takeOver(token: string): Promise<LogCursor> {
    const { epoch, transactionId, position } = LOG_START;
    const { rows } = await this.pool.query<CursorRow>(
      `INSERT INTO log_cursors AS c (name, epoch, transaction_id, position, token)
       VALUES ($1, $2, $3::xid8, $4, $5)
       ON CONFLICT (name) DO UPDATE SET token = excluded.token WHERE c.token <= excluded.token
       RETURNING epoch, transaction_id, position`,
      [this.name, epoch, transactionId, position, token],
    );
    if (!rows[0]) throw new LeaseLost(`the cursor ${this.name} has a later holder`);
    return fromRow(rows[0]);
  }

  /**
   * Moves the cursor under the token. The commit is not waited for on disk: after a crash of the
   * server the cursor may stand further back, and what follows is done again, which is allowed.
   *
   * @throws LeaseLost when the token is not the newest any more.
   */
  async move(token: string, to: LogCursor): Promise<void> {
    const { rowCount } = await this.pool.query({
      name: 'cursor-move',
      text: `UPDATE log_cursors
                SET epoch = $3, transaction_id = $4::xid8, position = $5,
                    moved_at = clock_timestamp()
               FROM set_config('synchronous_commit', 'off', true)
              WHERE name = $1 AND token = $2`,
      values: [this.name, token, to.epoch, to.transactionId, to.position],
    });
    if (rowCount !== 1) throw new LeaseLost(`the cursor ${this.name} has a later holder`);
  }

  /** Where the cursor stands now, whoever moves it. */
  async read(): Promise<LogCursor> {
    const { rows } = await this.pool.query<CursorRow>({
      name: 'cursor-read',
      text: 'SELECT epoch, transaction_id, position FROM log_cursors WHERE name = $1',
      values: [this.name],
    });
    return rows[0] ? fromRow(rows[0]) : LOG_START;
  }
}
