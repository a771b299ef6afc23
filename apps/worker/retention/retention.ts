import type { Pool } from 'pg';

/** How long expired rows are stored, in days of database time. */
export interface RetentionDays {
  /** Days to store responses to requests with an `Idempotency-Key`, counted from the request. */
  readonly answers: number;
  /** Days to store the provider's webhooks, counted from when they were handled. */
  readonly webhooks: number;
  /**
   * Days to store deliveries of webhooks to platforms, counted from the event: longer than the
   * attempts last.
   */
  readonly deliveries: number;
  /** Days to store ended provider calls, counted from their end. */
  readonly calls: number;
  /** Days to store redacted provider requests and their responses, counted from the request. */
  readonly exchanges: number;
  /**
   * Days to store merchant details that no event refers to, counted from when they were written.
   */
  readonly details: number;
  /**
   * Days to store the URL and the secret of a webhook endpoint that no endpoint refers to, counted
   * from when they were written: longer than an operator may take to approve the console's request
   * to create an endpoint.
   */
  readonly endpointDetails: number;
}

/**
 * The retention rule of one table: rows are deleted when the instant `ended` is old enough and the
 * condition `isOver` is true.
 */
interface Rule {
  readonly what: keyof RetentionDays;
  readonly table: string;
  readonly ended: string;
  readonly isOver: string;
  /** The SQL expression that is evaluated for each deleted row. */
  readonly onDelete?: string;
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
  // Merchant details are written before the event that refers to them. If a crash prevents the
  // commit of that event, the details stay behind.
  {
    what: 'details',
    table: 'merchant_details',
    ended: 'created_at',
    isOver: `NOT EXISTS (
      SELECT FROM events WHERE stream_type = 'merchant' AND stream_id = merchant_id
                           AND data->>'detailsRef' = ref)`,
  },
  // The details are written before the event that refers to them. They stay unused if a crash
  // prevents that event's commit, or if the console's request to create the endpoint is not
  // approved.
  {
    what: 'endpointDetails',
    table: 'webhook_details',
    ended: 'created_at',
    isOver: `NOT EXISTS (
      SELECT FROM webhook_endpoints e
       WHERE e.id = endpoint_id AND e.status <> 'deleted'
         AND (ref = e.details_ref OR ref = e.former_ref AND e.former_until > now()))`,
  },
  // A failed delivery delays the later deliveries of its stream, so the later deliveries are sent
  // when the failed delivery is deleted.
  {
    what: 'deliveries',
    table: 'webhook_deliveries',
    ended: 'created_at',
    isOver: `(state <> 'pending' OR NOT EXISTS (
      SELECT FROM webhook_endpoints e WHERE e.id = endpoint_id AND e.status = 'enabled'))`,
    onDelete: `CASE state WHEN 'failed' THEN request_webhooks(endpoint_id, stream_id) END`,
  },
];

/** The number of rows that one statement deletes, in one short transaction. */
export const CHUNK_ROWS = 500;

/**
 * A row that another transaction has locked is left for the next run, so that neither transaction
 * waits.
 */
const deleteChunk = ({ table, ended, isOver, onDelete = '' }: Rule): string => `
  WITH deleted AS (
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table}
       WHERE ${isOver} AND ${ended} < now() - $1 * interval '1 day'
       ORDER BY ${ended} LIMIT ${CHUNK_ROWS}
         FOR UPDATE SKIP LOCKED))
    RETURNING *)
  SELECT ${onDelete} FROM deleted`;

/** Deletes expired rows; the event log is never touched. */
export class Retention {
  constructor(
    private readonly pool: Pool,
    private readonly days: RetentionDays,
  ) {}

  /** Deletes at most one chunk of each table; returns whether there may be more rows to delete. */
  async round(signal?: AbortSignal): Promise<'more' | 'idle'> {
    let more = false;
    for (const rule of RULES) {
      if (signal?.aborted) break;
      const { rowCount } = await this.pool.query(deleteChunk(rule), [this.days[rule.what]]);
      more ||= rowCount === CHUNK_ROWS;
    }
    return more ? 'more' : 'idle';
  }
}
