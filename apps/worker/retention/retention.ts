import type { Pool } from 'pg';

/** How long obsolete rows are stored, in days of database time. */
export interface RetentionDays {
  /** Stored responses to requests with an `Idempotency-Key`, since the request. */
  readonly answers: number;
  /** The provider's webhooks, since they were handled. */
  readonly webhooks: number;
  /** Provider calls, since they were done. */
  readonly calls: number;
  /** Redacted requests to the provider and their responses, since the exchange. */
  readonly exchanges: number;
  /** Details of merchants that no event names, since they were written. */
  readonly details: number;
}

/** The rule of one table: rows whose `ended` is old enough, and `isOver`. */
interface Rule {
  readonly what: keyof RetentionDays;
  readonly table: string;
  readonly ended: string;
  readonly isOver: string;
}

const RULES: readonly Rule[] = [
  { what: 'answers', table: 'idempotency_keys', ended: 'created_at', isOver: 'true' },
  {
    what: 'webhooks',
    table: 'webhooks_received',
    ended: 'handled_at',
    isOver: 'handled_at IS NOT NULL',
  },
  { what: 'webhooks', table: 'webhooks_refused', ended: 'received_at', isOver: 'true' },
  { what: 'calls', table: 'jobs', ended: 'updated_at', isOver: `state = 'done'` },
  { what: 'exchanges', table: 'api_requests', ended: 'at', isOver: 'true' },
  { what: 'answers', table: 'daily_use', ended: 'used_at', isOver: 'true' },
  // Written before the step that names them, whose commit a crash may have prevented.
  {
    what: 'details',
    table: 'merchant_details',
    ended: 'created_at',
    isOver: `NOT EXISTS (
      SELECT FROM events WHERE stream_type = 'merchant' AND stream_id = merchant_id
                           AND data->>'detailsRef' = ref)`,
  },
];

/** Rows deleted by one statement, which is one short transaction. */
export const CHUNK_ROWS = 500;

/** A row that is locked elsewhere is left for the next round: neither side waits. */
const deleteChunk = ({ table, ended, isOver }: Rule): string => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table}
     WHERE ${isOver} AND ${ended} < now() - $1 * interval '1 day'
     ORDER BY ${ended} LIMIT ${CHUNK_ROWS}
       FOR UPDATE SKIP LOCKED))`;

/** Deletes expired rows; the log of events is never touched. */
export class Retention {
  constructor(
    private readonly pool: Pool,
    private readonly days: RetentionDays,
  ) {}

  /** At most one chunk of each table; returns whether there may be more. */
  async round(signal?: AbortSignal): Promise<'more' | 'idle'> {
    let more = false;
    for (const rule of RULES) {
      if (signal?.aborted) break;
      const { rowCount } = await this.pool.query({
        name: `retention-${rule.table}`,
        text: deleteChunk(rule),
        values: [this.days[rule.what]],
      });
      more ||= rowCount === CHUNK_ROWS;
    }
    return more ? 'more' : 'idle';
  }
}
