import type { DomainEvent, StreamType } from '#kernel';

/** Where in the log an event stands: readers follow this order, and skip no event in it. */
export interface LogCursor {
  /** Raised by a rebase, when the log goes on under another server's transaction ids. */
  readonly epoch: number;
  /** `xid8` as decimal text. */
  readonly transactionId: string;
  /** `bigint` as decimal text. */
  readonly position: string;
}

export const LOG_START: LogCursor = { epoch: 0, transactionId: '0', position: '0' };

/** Who and what led to an event. */
export interface EventMetadata {
  /** The order's id for all that happens for an order, over all aggregates; else the merchant's. */
  readonly correlationId: string;
  /** The event, request, webhook or deadline that this follows from. */
  readonly causationId: string;
  /** `platform:<id>`, `provider`, `saga:<name>`, `clock`, `user:<id>` or `ops:<hash>`. */
  readonly actor: string;
  /** W3C trace context of the request that began it. */
  readonly traceparent: string | null;
}

/** The metadata of a step that no traced request began. */
export const untraced = (
  correlationId: string,
  causationId: string,
  actor: string,
): EventMetadata => ({ correlationId, causationId, actor, traceparent: null });

/** An event as the log holds it; `data` is upcast to the current schema version when read. */
export interface RecordedEvent {
  readonly cursor: LogCursor;
  readonly streamType: StreamType;
  readonly streamId: string;
  /** 1 for the first event of the stream, without gaps. */
  readonly version: number;
  readonly eventId: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** The event's fields without its `type`. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: EventMetadata;
  /** Database time of the commit's statement, ISO 8601. */
  readonly recordedAt: string;
}

/** A recorded event as its aggregate knows it: the log gives it back upcast to today's schema. */
export const domainEvent = <Event extends DomainEvent>({
  type,
  data,
}: Pick<RecordedEvent, 'type' | 'data'>): Event => ({ ...data, type }) as unknown as Event;
