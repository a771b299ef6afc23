import type { Decider, DomainCommand, DomainEvent } from './decider.js';
import type { Instant } from './instant.js';

/** A stream is the history of one aggregate; its type also chooses its topic. */
export type StreamType = 'order' | 'payment' | 'payout' | 'merchant' | 'account';

/** A call to make at the provider; its id is the id of the event that asks for it. */
export interface EffectRequest {
  readonly jobId: string;
  readonly kind: string;
  /** The aggregate for which the call is made; its jobs run one after another. */
  readonly subjectId: string;
  readonly accountId: string;
  readonly askedAt: Instant;
}

/** Sets (or with `null` takes away) the one job of this kind and key, due in business time. */
export interface DeadlineChange {
  readonly kind: string;
  readonly key: string;
  readonly dueAt: Instant | null;
  /** How often it has been set again without news; 0 unless given. */
  readonly tries?: number;
}

/** A name that may be taken once, e.g. a platform's order reference; `holder` has it then. */
export interface Reservation {
  readonly scope: string;
  readonly key: string;
  readonly holder: string;
}

export interface FollowUps {
  readonly effects: readonly EffectRequest[];
  readonly deadlines: readonly DeadlineChange[];
  /** Names that are this aggregate's alone from the step on: it fails where another has one. */
  readonly reservations?: readonly Reservation[];
}

/** One event with the id that it gets in the log. */
export interface IdentifiedEvent<Event> {
  readonly eventId: string;
  readonly event: Event;
}

/** What one command did to an aggregate. */
export interface Change<State, Event> {
  readonly id: string;
  readonly before: State;
  readonly after: State;
  readonly events: readonly IdentifiedEvent<Event>[];
}

/**
 * Brings an event's data, or a saga's state, from one version of its schema to the next. `id`: of
 * the event's stream, or the saga's key.
 */
export type Upcaster = (
  data: Readonly<Record<string, unknown>>,
  id: string,
) => Readonly<Record<string, unknown>>;

/** For a version that only names fields otherwise: by the former name today's. */
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
 * By event type: its upcasters, from version 1 on. By a former name of a type: today's name, whose
 * schema versions count from the events of the former name on.
 */
export type Upcasters = Readonly<Record<string, readonly Upcaster[] | string>>;

/** How an aggregate lives in the log. */
export interface Aggregate<State, Command extends DomainCommand, Event extends DomainEvent> {
  readonly streamType: StreamType;
  readonly decider: Decider<State, Command, Event>;
  /**
   * Every event type that this release can read. An event of another type, or of a later version,
   * was written by a newer release, and blocks what needs it.
   */
  readonly upcasters: Readonly<Record<Event['type'], readonly Upcaster[]>> & Upcasters;
  /** What must happen because of a change; committed in the same step as its events. */
  readonly followUps: (change: Change<State, Event>) => FollowUps;
}

export const NO_FOLLOW_UPS: FollowUps = { effects: [], deadlines: [] };
