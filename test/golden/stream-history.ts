import { domainEvent, upcast } from '#log';
import { accountAggregate } from '#account';
import type { Aggregate, DomainCommand, DomainEvent, StreamType } from '#kernel';
import { merchantAggregate } from '#onboarding';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { payoutAggregate } from '#payout';
import { endpointAggregate } from '#webhook';

/** An event as stored by the release that wrote the event. */
export interface GoldenEvent {
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The history of one stream, and the state that the code derives from it. */
export interface GoldenStream {
  readonly kind: string;
  readonly events: readonly GoldenEvent[];
  readonly state: unknown;
}

type AnyAggregate = Aggregate<unknown, DomainCommand, DomainEvent>;

export const AGGREGATES = {
  order: orderAggregate,
  payment: paymentAggregate,
  payout: payoutAggregate,
  merchant: merchantAggregate,
  account: accountAggregate,
  webhook_endpoint: endpointAggregate,
} as unknown as Readonly<Record<StreamType, AnyAggregate>>;

/** The event as today's code reads it. */
export const upcastEvent = ({
  streamType,
  streamId,
  type,
  schemaVersion,
  data,
}: GoldenEvent): DomainEvent => {
  const { upcasters } = AGGREGATES[streamType];
  const written = { version: 1, type, schema_version: schemaVersion, data };
  return domainEvent(upcast(upcasters, { streamType, streamId }, written));
};

/** The state after the events of one stream, as today's code reads them. */
export const readStream = (events: readonly GoldenEvent[]): unknown => {
  const decider = AGGREGATES[events[0]?.streamType ?? 'order'].decider;
  return events.map(upcastEvent).reduce(decider.evolve, decider.initialState);
};
