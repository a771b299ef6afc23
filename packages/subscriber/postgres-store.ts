import type { Pool, PoolClient, QueryConfig } from 'pg';
import { type ReceivedEvent, streamKey, type StreamRef, type StreamType } from './envelope.js';
import { POSTGRES_SCHEMA } from './postgres-schema.js';
import type { Block, BlockedStream, Discard, LockedStream, Store, StreamState } from './store.js';
import { isTransientError } from './transient.js';

const MAX_LISTED = 1_000;
const THIS_STREAM = 'subscriber = $1 AND stream_type = $2 AND stream_id = $3';

interface StreamRow {
  readonly stream_type: StreamType;
  readonly stream_id: string;
  readonly version: number;
  readonly eventId: string | null;
  readonly block: Block | null;
}

const STATE = `s.version, s.block,
  CASE WHEN s.event_id_version = s.version THEN s.event_id END AS "eventId"`;

/**
 * SQLSTATE of a statement that follows a failed statement in the same transaction. The server sends
 * this code, so the connection works.
 */
const IN_FAILED_TRANSACTION = '25P02';
const PING_TIMEOUT_MS = 5_000;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** The text without characters that PostgreSQL cannot store: NUL and lone surrogates. */
const storable = (text: string): string => Buffer.from(text.replaceAll('\0', '')).toString();

const guarded = new WeakSet<Pool>();

/**
 * Handles errors of connections, because an unhandled error would end the process. The server may
 * end a session at any time, even before the pool has given the connection to its caller.
 */
const guard = (pool: Pool): void => {
  if (guarded.has(pool)) return;
  guarded.add(pool);
  pool.on('connect', (client) => client.on('error', () => undefined));
};

/** Stores a subscriber's progress in the database in which its handlers write. */
export class PostgresStore implements Store<PoolClient> {
  constructor(
    private readonly pool: Pool,
    readonly subscriber: string,
  ) {
    guard(pool);
  }

  /**
   * Creates the tables if they are missing; to create them with your own migrations, use
   * `POSTGRES_SCHEMA`.
   */
  async prepare(): Promise<void> {
    await this.inTransaction(async (client) => {
      // The lock prevents an error when two processes start concurrently and both create the
      // tables.
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended('subscriber_streams', 0))");
      await client.query(POSTGRES_SCHEMA);
    });
  }

  async read(streams: readonly StreamRef[]): Promise<ReadonlyMap<string, StreamState>> {
    const { rows } = await this.pool.query<StreamRow>(
      `SELECT stream_type, stream_id, ${STATE} FROM subscriber_streams AS s
        WHERE subscriber = $1
          AND (stream_type, stream_id) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
      [
        this.subscriber,
        streams.map(({ streamType }) => streamType),
        streams.map(({ streamId }) => streamId),
      ],
    );
    return new Map(
      rows.map(({ stream_type: streamType, stream_id: streamId, ...state }) => [
        streamKey({ streamType, streamId }),
        state,
      ]),
    );
  }

  async blocked(): Promise<readonly BlockedStream[]> {
    const { rows } = await this.pool.query<StreamRow & { readonly block: Block }>(
      `SELECT stream_type, stream_id, block FROM subscriber_streams
        WHERE subscriber = $1 AND block IS NOT NULL
        ORDER BY block->>'since' LIMIT ${MAX_LISTED}`,
      [this.subscriber],
    );
    return rows.map(({ stream_type: streamType, stream_id: streamId, block }) => ({
      streamType,
      streamId,
      ...block,
    }));
  }

  transaction<T>(
    { streamType, streamId }: StreamRef,
    work: (stream: LockedStream<PoolClient>) => Promise<T>,
  ): Promise<T> {
    const key = [this.subscriber, streamType, streamId];
    return this.inTransaction(async (client) => work(await LockedRow.lock(client, key)));
  }

  isTransient(error: unknown): boolean {
    return isTransientError(error);
  }

  private async inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    // Connections that the pool opened before this store was created have no error handler yet.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.off('error', ignore);
      // After an error the connection is closed and not reused, because its state is unknown;
      // closing rolls the transaction back.
      client.release(broken);
    }
  }
}

class LockedRow implements LockedStream<PoolClient> {
  private constructor(
    readonly tx: PoolClient,
    private readonly key: readonly string[],
    readonly state: StreamState,
  ) {}

  static async lock(client: PoolClient, key: readonly string[]): Promise<LockedRow> {
    // Creates or locks the row, and returns its last committed state in either case.
    const { rows } = await client.query<StreamState>({
      name: 'subscriber-lock',
      text: `INSERT INTO subscriber_streams AS s (subscriber, stream_type, stream_id)
             VALUES ($1, $2, $3)
             ON CONFLICT (subscriber, stream_type, stream_id) DO UPDATE SET version = s.version
             RETURNING ${STATE}`,
      values: [...key],
    });
    return new LockedRow(client, key, rows[0] ?? { version: 0, eventId: null, block: null });
  }

  async save({ version, eventId, block }: StreamState): Promise<void> {
    const error = block === null ? '' : storable(block.error);
    await this.tx.query({
      name: 'subscriber-save',
      text: `UPDATE subscriber_streams
                SET version = $4, event_id_version = $4, event_id = $5, block = $6
              WHERE ${THIS_STREAM}`,
      values: [
        ...this.key,
        version,
        eventId,
        block === null ? null : JSON.stringify({ ...block, error }),
      ],
    });
  }

  async keep(event: ReceivedEvent): Promise<void> {
    await this.tx.query(
      `INSERT INTO subscriber_kept_events (subscriber, stream_type, stream_id, version, event)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
      [...this.key, event.sequence, JSON.stringify(event)],
    );
  }

  async firstKept(version: number): Promise<ReceivedEvent | null> {
    const { rows } = await this.tx.query<{ event: ReceivedEvent }>(
      `SELECT event FROM subscriber_kept_events
        WHERE ${THIS_STREAM} AND version > $4 ORDER BY version LIMIT 1`,
      [...this.key, version],
    );
    return rows[0]?.event ?? null;
  }

  async release(version: number): Promise<void> {
    await this.tx.query(
      `DELETE FROM subscriber_kept_events WHERE ${THIS_STREAM} AND version <= $4`,
      [...this.key, version],
    );
  }

  async ping(): Promise<void> {
    try {
      const ping: QueryConfig & { readonly query_timeout: number } = {
        text: 'SELECT 1',
        query_timeout: PING_TIMEOUT_MS,
      };
      await this.tx.query(ping);
    } catch (error) {
      if (codeOf(error) !== IN_FAILED_TRANSACTION) throw error;
    }
  }

  async record({ version, event, error, reason }: Discard): Promise<void> {
    await this.tx.query(
      `INSERT INTO subscriber_discards
              (subscriber, stream_type, stream_id, version, event, error, reason)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        ...this.key,
        version,
        event === null ? null : JSON.stringify(event),
        storable(error),
        storable(reason),
      ],
    );
  }
}
