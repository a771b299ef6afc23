import type { TOPICS } from './events.js';

/** An order, a payment, a payout, a merchant and a provider account have a stream of events each. */
export type StreamType = keyof typeof TOPICS;

/** One stream: the whole history of one order, payment, payout, merchant or provider account. */
export interface StreamRef {
  readonly streamType: StreamType;
  readonly streamId: string;
}

/** An event of any type, also of one that this release does not know. */
export interface ReceivedEvent {
  /** Without the prefix that it has on the topic: `OrderPaid`. */
  readonly type: string;
  readonly streamType: StreamType;
  /** The stream's id: the order's, the payment's, the payout's or the merchant's. */
  readonly subject: string;
  /** The event's version in its stream: 1 for the first, without gaps. */
  readonly sequence: number;
  /** The same wherever and however often the event is published. */
  readonly id: string;
  readonly source: string;
  /** When it happened, in business time. */
  readonly time: string;
  readonly dataschema: string;
  /** The order's id for all that happens for an order. */
  readonly correlationid: string;
  /** The event, request, webhook or deadline that this follows from. */
  readonly causationid: string;
  /** Who caused it. */
  readonly actor: string;
  /** W3C trace context of the request that began it. */
  readonly traceparent: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event of a known type. `Data` only grows: ignore the fields that you do not know. */
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

/** A stream's name as a map key. */
export const streamKey = ({ streamType, streamId }: StreamRef): string =>
  `${streamType} ${streamId}`;
