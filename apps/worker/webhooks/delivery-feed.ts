import { isAfter, LOG_START, type LogCursor, type LogEntry, type LogReader } from '#log';
import { newId } from '#kernel';
import { firstRow } from '#platform';
import { matchesPattern, TEST_EVENT } from '#webhook';
import type { Pool } from 'pg';

/**
 * The job kind that sends the open deliveries of one stream to one endpoint. The key of a job is
 * the id of the endpoint, a space, and the id of the stream; the account of a job is the endpoint.
 */
export const DELIVER = 'webhook.deliver';

/** The name of the feed's cursor in the log. */
export const CURSOR = 'webhooks';

/** The maximum number of events that one round reads. */
const CHUNK_EVENTS = 500;

interface FedEndpoint {
  readonly id: string;
  readonly platformId: string;
  readonly merchantId: string | null;
  readonly eventTypes: readonly string[];
  /**
   * The end of the log at the creation of the endpoint: earlier events are not sent to the
   * endpoint.
   */
  readonly start: LogCursor;
}

type Delivery = readonly [id: string, endpoint: FedEndpoint, event: LogEntry];

const ENDPOINTS = `
  SELECT id, platform_id AS "platformId", merchant_id AS "merchantId",
         event_types AS "eventTypes",
         json_build_object('epoch', epoch, 'transactionId', transaction_id::text, 'position', '0')
           AS start
    FROM webhook_endpoints WHERE status <> 'deleted'`;

const POSITION = `
  SELECT epoch, transaction_id::text AS "transactionId", position::text AS position
    FROM log_cursors WHERE name = '${CURSOR}'`;

/**
 * Writes the deliveries of a chunk, requests their jobs, and moves the cursor. Writes nothing if
 * another process has moved the cursor meanwhile. A running job is marked to run once more; a job
 * that waits for a retry is not changed.
 */
const WRITE = `
  WITH wanted AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[],
                         $7::text[], $8::int[]) WITH ORDINALITY
      AS w(id, endpoint_id, platform_id, event_id, event_type, stream_type, stream_id, version, n)),
  moved AS (
    INSERT INTO log_cursors AS c (name, epoch, transaction_id, position)
    VALUES ('${CURSOR}', $9, $10::xid8, $11)
        ON CONFLICT (name) DO UPDATE
       SET epoch = excluded.epoch, transaction_id = excluded.transaction_id,
           position = excluded.position, moved_at = clock_timestamp()
     WHERE (c.epoch, c.transaction_id, c.position) = ($12, $13::xid8, $14)
    RETURNING c.name),
  written AS (
    INSERT INTO webhook_deliveries (id, endpoint_id, platform_id, event_id, event_type,
                                    stream_type, stream_id, version)
    SELECT w.id, w.endpoint_id, w.platform_id, w.event_id, w.event_type, w.stream_type,
           w.stream_id, w.version
      FROM wanted w, moved ORDER BY w.n
        ON CONFLICT (endpoint_id, event_id) DO NOTHING
    RETURNING endpoint_id, stream_id),
  due AS (
    INSERT INTO jobs AS j (kind, key, account_id, state, due_at)
    SELECT '${DELIVER}', w.endpoint_id || ' ' || w.stream_id, w.endpoint_id, 'ready',
           clock_timestamp()
      FROM (SELECT DISTINCT endpoint_id, stream_id FROM written) w ORDER BY 2
        ON CONFLICT (kind, key) DO UPDATE SET again = true WHERE j.state = 'running'
    RETURNING key)
  SELECT (SELECT count(*)::int FROM moved) AS moved, (SELECT count(*)::int FROM due) AS due`;

const receives = (
  { id, platformId, merchantId, eventTypes, start }: FedEndpoint,
  event: LogEntry,
): boolean => {
  const { type, streamId, metadata, cursor } = event;
  if (metadata.platformId !== platformId || isAfter(start, cursor)) return false;
  if (streamId === id) return type === TEST_EVENT;
  if (type === TEST_EVENT) return false;
  if (merchantId !== null && metadata.merchantId !== merchantId) return false;
  return eventTypes.some((pattern) => matchesPattern(type, pattern));
};

/**
 * The position after which events must be read: the cursor, or the start of the oldest endpoint if
 * that is later, because the cursor is not moved while no endpoint exists.
 */
const firstNeeded = (endpoints: readonly FedEndpoint[], cursor: LogCursor): LogCursor => {
  const starts = endpoints.map(({ start }) => start);
  const earliest = starts.reduce((a, b) => (isAfter(a, b) ? b : a));
  return isAfter(earliest, cursor) ? earliest : cursor;
};

/**
 * Writes one delivery for each event of the log and each endpoint that receives the event, and
 * stores the position up to which this was done. Nothing is read while no endpoint exists.
 */
export class DeliveryFeed {
  constructor(
    private readonly pool: Pool,
    private readonly reader: Pick<LogReader, 'readAfter'>,
    private readonly onDue: () => void,
  ) {}

  /** Processes at most one chunk of events. */
  async round(): Promise<'more' | 'end' | 'idle'> {
    const known = await this.endpoints();
    if (known.length === 0) return 'idle';
    const from = (await this.position()) ?? LOG_START;
    const events = await this.reader.readAfter(firstNeeded(known, from), CHUNK_EVENTS);
    const end = events.at(-1)?.cursor;
    if (end === undefined) return 'idle';
    // Read after the events: an endpoint that is created later receives only later events.
    const endpoints = await this.endpoints();
    const deliveries = events.flatMap((event) =>
      endpoints
        .filter((endpoint) => receives(endpoint, event))
        .map((endpoint): Delivery => [newId('whm'), endpoint, event]),
    );
    if (await this.write(deliveries, from, end)) this.onDue();
    return events.length === CHUNK_EVENTS ? 'more' : 'end';
  }

  private async endpoints(): Promise<readonly FedEndpoint[]> {
    const { rows } = await this.pool.query<FedEndpoint>({
      name: 'fed-endpoints',
      text: ENDPOINTS,
    });
    return rows;
  }

  private async position(): Promise<LogCursor | null> {
    return (
      (await firstRow<LogCursor>(this.pool, { name: 'webhook-cursor', text: POSITION })) ?? null
    );
  }

  /** Returns whether there are new jobs. */
  private async write(
    deliveries: readonly Delivery[],
    from: LogCursor,
    to: LogCursor,
  ): Promise<boolean> {
    const row = await firstRow<{ due: number }>(this.pool, {
      name: 'feed-webhooks',
      text: WRITE,
      values: [
        deliveries.map(([id]) => id),
        deliveries.map(([, endpoint]) => endpoint.id),
        deliveries.map(([, endpoint]) => endpoint.platformId),
        deliveries.map(([, , event]) => event.eventId),
        deliveries.map(([, , event]) => event.type),
        deliveries.map(([, , event]) => event.streamType),
        deliveries.map(([, , event]) => event.streamId),
        deliveries.map(([, , event]) => event.version),
        to.epoch,
        to.transactionId,
        to.position,
        from.epoch,
        from.transactionId,
        from.position,
      ],
    });
    return (row?.due ?? 0) > 0;
  }
}
