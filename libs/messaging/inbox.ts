import type { Pool } from 'pg';
import type { StreamRef } from '#event-store';

/** A stream's name as a map key. */
export const streamKey = ({ streamType, streamId }: StreamRef): string =>
  `${streamType} ${streamId}`;

interface StreamRow {
  readonly stream_type: string;
  readonly stream_id: string;
}

const keyOfRow = (row: StreamRow): string => `${row.stream_type} ${row.stream_id}`;

/** What one consumer has taken: by stream the last version, and the streams that are parked. */
export class Inbox {
  constructor(
    private readonly pool: Pool,
    readonly consumer: string,
  ) {}

  /** By `streamKey` the last version taken; a stream that is not named is at 0. */
  async versions(streams: readonly StreamRef[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.pool.query<StreamRow & { readonly version: number }>({
      name: 'inbox-versions',
      text: `SELECT stream_type, stream_id, version FROM inbox
              WHERE consumer = $1
                AND (stream_type, stream_id) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
      values: this.values(streams),
    });
    return new Map(rows.map((row) => [keyOfRow(row), row.version]));
  }

  async version(stream: StreamRef): Promise<number> {
    return (await this.versions([stream])).get(streamKey(stream)) ?? 0;
  }

  /**
   * The parked streams among these, as `streamKey`s. Each row is locked for a moment: a release
   * that is about to delete it is waited for, and one that begins later looks into the log after
   * us, so it sees every message that is passed over because of this answer.
   */
  async parked(streams: readonly StreamRef[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<StreamRow>({
      name: 'inbox-parked',
      text: `SELECT stream_type, stream_id FROM parked_keys
              WHERE consumer = $1
                AND (stream_type, stream_id) IN (SELECT * FROM unnest($2::text[], $3::text[]))
                FOR SHARE`,
      values: this.values(streams),
    });
    return new Set(rows.map(keyOfRow));
  }

  private values(streams: readonly StreamRef[]): unknown[] {
    const types = streams.map(({ streamType }) => streamType);
    return [this.consumer, types, streams.map(({ streamId }) => streamId)];
  }
}
