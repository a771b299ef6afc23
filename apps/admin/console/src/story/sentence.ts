import type { PublishedEvent } from '../../../../../packages/client-ts/events';
import type { Schemas } from '../api/client';
import type { MethodDetails } from '../payments/payment-state';

type EventType = Schemas['EventType'];

type NameOf<Type> = Type extends `payment-orchestrator.${infer Name}` ? Name : never;

/** The types of the events of one kind of stream. */
export type EventOf<Stream extends string> = NameOf<
  Extract<PublishedEvent, { readonly source: `/payment-orchestrator/${Stream}` }>['type']
>;

type OfVersion<Event, Version extends number> = Extract<
  Event,
  { readonly dataschema: `${string}:${Version}` }
>;

/** The newest schema version of an event: the timeline contains events as they are upcast to it. */
type Newest<Event, Versions extends readonly number[] = [6, 5, 4, 3, 2, 1]> = Versions extends [
  infer Version extends number,
  ...infer Older extends readonly number[],
]
  ? [OfVersion<Event, Version>] extends [never]
    ? Newest<Event, Older>
    : OfVersion<Event, Version>
  : never;

/** The data of an event. */
type EventData<Type extends EventType> = Newest<
  Extract<PublishedEvent, { readonly type: `payment-orchestrator.${Type}` }>
>['data'];

/** The functions by which a sentence formats values, in the viewer's language. */
export interface Say {
  /** Formats an amount in the currency of the entity. */
  readonly money: (amountMinor: number) => string;
  /** Formats an instant. */
  readonly moment: (at: string) => string;
  /** Formats a calendar day. @param day YYYY-MM-DD */
  readonly day: (day: string) => string;
  /** The amount of the payment or order that the event belongs to. */
  readonly total: string;
  /** A card or account, and the outcome of 3-D Secure; null: the provider shows no details. */
  readonly method: (details: MethodDetails | undefined) => string | null;
  /** The reason of a bank with its code. */
  readonly bank: (code: string | null) => string;
  /** The label of a status of the entity that the event belongs to. */
  readonly status: (status: string) => string;
  /** The text of a missing requirement. */
  readonly requirement: (item: string) => string;
  /**
   * The person or platform that caused the event, e.g. `, by Ann`; empty if the service or the
   * provider did.
   */
  readonly by: string;
  /** Who requested a capture, e.g. `, by Ann`. */
  readonly captureBy: (captureId: string) => string;
  /** Who requested a capture, e.g. `, requested by Ann`; empty if it is not recorded. */
  readonly requester: (captureId: string | undefined) => string;
  /** Why a request was rejected, in the words of the service or of the provider. */
  readonly reason: (reason: string) => string;
  /** The platform's reference of a requested refund, e.g. ` (reference R-7)`; empty: none. */
  readonly reference: (requestId: string | null) => string;
}

/** The sentence of an event, without a full stop. */
export type Sentence<Type extends EventType> =
  | string
  | ((data: EventData<Type>, say: Say) => string);

/** A sentence for each event type; a new event type without a sentence does not compile. */
export type Sentences<Types extends EventType = EventType> = {
  readonly [Type in Types]: Sentence<Type>;
};
