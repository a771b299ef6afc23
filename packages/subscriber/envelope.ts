import type { TOPICS } from './events.js';

/**
 * The types of streams: each order, payment, payout, merchant and provider account has one stream
 * of events.
 */
export type StreamType = keyof typeof TOPICS;

/**
 * One stream: the whole history of an order, payment, payout, merchant, provider account or webhook
 * endpoint.
 */
export interface StreamRef {
  readonly streamType: StreamType;
  readonly streamId: string;
}

/** An event of any type, even of a type that this release does not know. */
export interface ReceivedEvent {
  /** The event type, without the prefix that it has on the topic: `OrderPaid`. */
  readonly type: string;
  readonly streamType: StreamType;
  /**
   * The stream's id: that of the order, payment, payout, merchant, provider account or webhook
   * endpoint.
   */
  readonly subject: string;
  /** The event's version in its stream: 1 for the first, without gaps. */
  readonly sequence: number;
  /** The id of the event. It stays the same when the event is published again. */
  readonly id: string;
  readonly source: string;
  /** When the event happened, in business time. */
  readonly time: string;
  readonly dataschema: string;
  /** The correlation id: the order's id for everything that happens for an order. */
  readonly correlationid: string;
  /** The causation id: the event, request, webhook or deadline that caused the event. */
  readonly causationid: string;
  /** Who caused the event. */
  readonly actor: string;
  /** The platform to which the event belongs; null in events of release 0.2.0 and earlier. */
  readonly platformid: string | null;
  /**
   * The merchant to which the event belongs; null in events of release 0.2.0 and earlier,
   * and in events of payments that such a release began.
   */
  readonly merchantid: string | null;
  /** The W3C trace context of the request that caused the event. */
  readonly traceparent: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * An event of a known type. Later releases may add fields to `Data`: ignore the fields that you do
 * not know.
 */
export interface Envelope<
  Type extends string,
  Stream extends StreamType,
  Version extends number,
  Data,
> extends Omit<ReceivedEvent, 'data'> {
  readonly type: Type;
  readonly streamType: Stream;
  readonly source: `/payment-orchestrator/${Stream}`;
  readonly dataschema: `urn:payment-orchestrator:schema:${Type}:${Version}`;
  readonly data: Data;
}

export const streamOf = (event: ReceivedEvent): StreamRef => ({
  streamType: event.streamType,
  streamId: event.subject,
});

/** The key of a stream in a map. */
export const streamKey = ({ streamType, streamId }: StreamRef): string =>
  `${streamType} ${streamId}`;
