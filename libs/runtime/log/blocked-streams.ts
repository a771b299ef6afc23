import type { Pool, PoolClient } from 'pg';
import type { NewerEvent } from './event-row.js';
import type { EventRef } from './upcast.js';

/** The key under which a log consumer records that a stream is blocked. */
export const blockedKey = ({
  streamType,
  streamId,
}: Pick<EventRef, 'streamType' | 'streamId'>): string => `${streamType} ${streamId}`;

/** The newly blocked streams as JSON, for the SQL of the log consumers. */
export const blockedRows = (newly: readonly NewerEvent[]): string =>
  JSON.stringify(
    newly.map(({ streamType, streamId, version, type, schemaVersion }) => ({
      stream_type: streamType,
      stream_id: streamId,
      version,
      type,
      schema_version: schemaVersion,
    })),
  );

/**
 * SQL that inserts the JSON of `blockedRows` in the parameter `rows` for the log consumer `reader`.
 * If a stream is already blocked, its row does not change.
 */
export const blockStreamsSql = (reader: string, rows: string): string => `
  INSERT INTO blocked_streams (reader, stream_type, stream_id, version, type, schema_version)
  SELECT ${reader}::text, b.* FROM json_to_recordset(${rows})
         AS b(stream_type text, stream_id text, version int, type text, schema_version smallint)`;

/** The streams that a log consumer has blocked, oldest first. */
export const blockedStreams = async (
  on: Pool | PoolClient,
  reader: string,
): Promise<readonly EventRef[]> => {
  const { rows } = await on.query<EventRef>({
    name: 'blocked-streams',
    text: `SELECT stream_type AS "streamType", stream_id AS "streamId", version, type,
                  schema_version AS "schemaVersion"
             FROM blocked_streams WHERE reader = $1 ORDER BY blocked_at`,
    values: [reader],
  });
  return rows;
};

/** The number of blocked streams by log consumer. */
export const blockedCounts = async (
  pool: Pool,
): Promise<readonly { readonly reader: string; readonly streams: number }[]> => {
  const { rows } = await pool.query<{ reader: string; streams: number }>(
    'SELECT reader, count(*)::int AS streams FROM blocked_streams GROUP BY reader',
  );
  return rows;
};
