import type { DomainEvent, StreamType } from '#kernel';

/** A position in the log: consumers read in the order of these positions, and skip no event. */
export interface LogCursor {
  /**
   * Increased by each restore of the log, after which the log continues with the transaction ids of
   * another server, or with those of lost events.
   */
  readonly epoch: number;
  /** The transaction id (`xid8`) as decimal text. */
  readonly transactionId: string;
  /** The position (`bigint`) as decimal text. */
  readonly position: string;
}

export const LOG_START: LogCursor = { epoch: 0, transactionId: '0', position: '0' };

/** Whether `a` is after `b` in the log. */
export const isAfter = (a: LogCursor, b: LogCursor): boolean => {
  if (a.epoch !== b.epoch) return a.epoch > b.epoch;
  if (a.transactionId !== b.transactionId) return BigInt(a.transactionId) > BigInt(b.transactionId);
  return BigInt(a.position) > BigInt(b.position);
};

/** Who or what caused an event, and in which context. */
export interface EventMetadata {
  /**
   * The correlation id: for the events of an order and of its payments the order's id, otherwise
   * the merchant's id.
   */
  readonly correlationId: string;
  /** The causation id: the event, request, webhook or deadline that caused this event. */
  readonly causationId: string;
  /** `platform:<id>`, `provider`, `saga:<name>`, `clock`, `user:<id>` or `ops:<hash>`. */
  readonly actor: string;
  /**
   * The W3C trace context of the request or job that committed the event. If the step has none, the
   * event has the trace context of the previous event of its stream.
   */
  readonly traceparent: string | null;
}

/** The metadata of an event in the log. */
export interface RecordedMetadata extends EventMetadata {
  /**
   * The platform whose event this is; missing in events that release 0.2.0 and earlier releases
   * recorded.
   */
  readonly platformId?: string;
  /** The merchant whose event this is, if the aggregate knows it. */
  readonly merchantId?: string;
}

/**
 * The metadata of a step that no traced request caused. Each of its events gets the trace context
 * (`traceparent`) of the newest event of its stream.
 */
export const untraced = (
  correlationId: string,
  causationId: string,
  actor: string,
): EventMetadata => ({ correlationId, causationId, actor, traceparent: null });

/** An event as stored in the log; `data` is upcast to the current schema version when read. */
export interface RecordedEvent {
  readonly cursor: LogCursor;
  readonly streamType: StreamType;
  readonly streamId: string;
  /** The number of the event in its stream: 1 for the first, without gaps. */
  readonly version: number;
  readonly eventId: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** The event's fields without its `type`. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: RecordedMetadata;
  /** The time of the commit by the database's clock, ISO 8601. */
  readonly recordedAt: string;
}

/**
 * The time of an event in business time, ISO 8601 with milliseconds, so that it sorts as text; the
 * time of the commit for an event without a time of its own.
 */
export const timeOf = ({ data, recordedAt }: Pick<RecordedEvent, 'data' | 'recordedAt'>): string =>
  typeof data['at'] === 'string' ? data['at'] : recordedAt;

/** A recorded event as its aggregate receives it, upcast to the current schema. */
export const domainEvent = <Event extends DomainEvent>({
  type,
  data,
}: Pick<RecordedEvent, 'type' | 'data'>): Event => ({ ...data, type }) as unknown as Event;
