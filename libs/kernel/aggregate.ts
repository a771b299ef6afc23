import type { Decider, DomainCommand, DomainEvent } from './decider.js';
import type { Instant } from './instant.js';

/**
 * The type of a stream. A stream is the history of one aggregate; its type also determines its
 * Kafka topic.
 */
export type StreamType =
  | 'order'
  | 'payment'
  | 'payout'
  | 'merchant'
  | 'account'
  | 'webhook_endpoint';

/** A request to send to the provider. Its id is the id of the event that requests it. */
export interface EffectRequest {
  readonly jobId: string;
  readonly kind: string;
  /**
   * The id of the aggregate that the request is for; the jobs of one aggregate run one after
   * another.
   */
  readonly subjectId: string;
  readonly accountId: string;
  readonly askedAt: Instant;
}

/**
 * Schedules the job of this kind and key for `dueAt`, in business time; `null` removes the job.
 * There is at most one job of a kind and key.
 */
export interface DeadlineChange {
  readonly kind: string;
  readonly key: string;
  readonly dueAt: Instant | null;
  /**
   * The number of times that the job was rescheduled without a change of the aggregate; default 0.
   */
  readonly tries?: number;
}

/**
 * Retries the failed requests of this kind for the aggregate, because they are not needed any more:
 * their next run ends without sending anything, and no longer blocks later requests.
 */
export interface UnneededRequest {
  readonly kind: string;
  readonly subjectId: string;
}

/** A unique name, e.g. a platform's order reference, reserved for `holder`. */
export interface Reservation {
  readonly scope: string;
  readonly key: string;
  readonly holder: string;
}

export interface FollowUps {
  readonly effects: readonly EffectRequest[];
  readonly deadlines: readonly DeadlineChange[];
  /**
   * The names to reserve for this aggregate; the step fails if any of these names is already
   * reserved.
   */
  readonly reservations?: readonly Reservation[];
  readonly unneeded?: readonly UnneededRequest[];
}

/** An event with its id in the log. */
export interface IdentifiedEvent<Event> {
  readonly eventId: string;
  readonly event: Event;
}

/** The result of one command on an aggregate. */
export interface Change<State, Event> {
  readonly id: string;
  readonly before: State;
  readonly after: State;
  readonly events: readonly IdentifiedEvent<Event>[];
}

/**
 * Converts the data of an event, or the state of a saga, from one schema version to the next. `id`
 * is the id of the event's stream, or the saga's key.
 */
export type Upcaster = (
  data: Readonly<Record<string, unknown>>,
  id: string,
) => Readonly<Record<string, unknown>>;

/** An upcaster that only renames fields; `names` maps each former name to the current name. */
export const renameFields =
  (names: Readonly<Record<string, string>>): Upcaster =>
  (data) =>
    Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        (Object.hasOwn(names, name) ? names[name] : undefined) ?? name,
        value,
      ]),
    );

/**
 * The upcasters of each event type, from version 1 on. A former type name maps to the current name,
 * which continues the schema versions of the former name.
 */
export type Upcasters = Readonly<Record<string, readonly Upcaster[] | string>>;

/** The functions that compute the state of an aggregate from its events. */
export interface Folded<State> {
  readonly streamType: StreamType;
  readonly decider: Pick<Decider<State, never, never>, 'initialState' | 'evolve'>;
}

/** The platform and the merchant to which an aggregate belongs. */
export interface Owner {
  readonly platformId: string;
  /** The merchant's id; missing if the aggregate does not know its merchant. */
  readonly merchantId?: string;
}

/**
 * The decider of an aggregate, the upcasters of its stored events, and the effects of each change.
 */
export interface Aggregate<State, Command extends DomainCommand, Event extends DomainEvent> {
  readonly streamType: StreamType;
  readonly decider: Decider<State, Command, Event>;
  /**
   * All event types that this release can read. An event whose type or schema version is not listed
   * was written by a newer release, and blocks every reader that has to handle the event.
   */
  readonly upcasters: Readonly<Record<Event['type'], readonly Upcaster[]>> & Upcasters;
  /** The platform and the merchant to which the aggregate belongs; null before its first event. */
  readonly ownerOf: (state: State, id: string) => Owner | null;
  /** The effects of a change, committed in the same step as its events. */
  readonly followUps: (change: Change<State, Event>) => FollowUps;
}

export const NO_FOLLOW_UPS: FollowUps = { effects: [], deadlines: [] };
