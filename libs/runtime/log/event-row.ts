import type { StreamType } from '#kernel';
import {
  currentSchemaVersion,
  type EventRef,
  isKnownEvent,
  upcast,
  type Upcasters,
  UnknownEvent,
} from './upcast.js';
import type { LogCursor, RecordedEvent, RecordedMetadata } from './stream.js';

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
  readonly metadata: RecordedMetadata;
  readonly recorded_at: Date;
}

export const EVENT_COLUMNS = `epoch, transaction_id, position, stream_type, stream_id, version,
  event_id, type, schema_version, data, metadata, recorded_at`;

/** An event that only a newer release can read. Its data are not known. */
export interface NewerEvent extends EventRef {
  readonly isNewer: true;
  readonly cursor: LogCursor;
  readonly eventId: string;
  readonly metadata: RecordedMetadata;
}

/**
 * An entry of the log. Each consumer decides what to do with an entry that this release cannot
 * read.
 */
export type LogEntry = RecordedEvent | NewerEvent;

export const isNewer = (entry: LogEntry): entry is NewerEvent => 'isNewer' in entry;

/** The events, for consumers that must be able to read every event. @throws UnknownEvent */
export const allKnown = (entries: readonly LogEntry[]): readonly RecordedEvent[] =>
  entries.map((entry) => {
    if (isNewer(entry)) throw new UnknownEvent(entry);
    return entry;
  });

const cursorOf = (row: EventRow): LogCursor => ({
  epoch: row.epoch,
  transactionId: row.transaction_id,
  position: row.position,
});

const refOf = (row: EventRow): EventRef => ({
  streamType: row.stream_type,
  streamId: row.stream_id,
  version: row.version,
  type: row.type,
  schemaVersion: row.schema_version,
});

/** @throws UnknownEvent */
export const recordedEvent = (row: EventRow, upcasters: Upcasters): RecordedEvent => {
  const ref = refOf(row);
  return {
    cursor: cursorOf(row),
    streamType: row.stream_type,
    streamId: row.stream_id,
    version: row.version,
    eventId: row.event_id,
    ...upcast(upcasters, ref, row),
    schemaVersion: currentSchemaVersion(upcasters, row.type),
    metadata: row.metadata,
    recordedAt: row.recorded_at.toISOString(),
  };
};

export const logEntry = (row: EventRow, upcasters: Upcasters): LogEntry => {
  const ref = refOf(row);
  if (isKnownEvent(upcasters, ref)) return recordedEvent(row, upcasters);
  const { event_id: eventId, metadata } = row;
  return { ...ref, isNewer: true, cursor: cursorOf(row), eventId, metadata };
};
