import { assert } from '#kernel';
import type { Upcaster } from './aggregate.js';
import type { EventMetadata, RecordedEvent, StreamType } from './stream.js';

export interface EventRow {
  readonly epoch: number;
  readonly transaction_id: string;
  readonly position: string;
  readonly stream_type: StreamType;
  readonly stream_id: string;
  readonly version: number;
  readonly event_id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: EventMetadata;
  readonly recorded_at: Date;
}

export const EVENT_COLUMNS = `epoch, transaction_id, position, stream_type, stream_id, version,
  event_id, type, schema_version, data, metadata, recorded_at`;

/** By event type, over all aggregates: event types are unique in the whole log. */
export type Upcasters = Readonly<Record<string, readonly Upcaster[]>>;

/** The schema version that events of this type are written with today. */
export const currentSchemaVersion = (upcasters: Upcasters, type: string): number =>
  1 + (upcasters[type]?.length ?? 0);

export const recordedEvent = (row: EventRow, upcasters: Upcasters): RecordedEvent => {
  const current = currentSchemaVersion(upcasters, row.type);
  assert(row.schema_version <= current, `${row.type} was written by an older or this release`);
  const lifts = upcasters[row.type]?.slice(row.schema_version - 1) ?? [];
  return {
    cursor: { epoch: row.epoch, transactionId: row.transaction_id, position: row.position },
    streamType: row.stream_type,
    streamId: row.stream_id,
    version: row.version,
    eventId: row.event_id,
    type: row.type,
    schemaVersion: current,
    data: lifts.reduce((data, lift) => lift(data), row.data),
    metadata: row.metadata,
    recordedAt: row.recorded_at.toISOString(),
  };
};
