import type {
  Aggregate,
  DeadlineChange,
  DomainCommand,
  DomainEvent,
  Instant,
  StreamType,
  Upcaster,
} from '#kernel';
import type { EventMetadata } from './stream.js';

/** An event as sagas receive it: its data is upcast to the current schema. */
export interface ReactedEvent {
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: EventMetadata;
}

/** A stimulus is what a saga reacts to: an event, or a deadline that the saga has set. */
export type Stimulus =
  | { readonly from: 'event'; readonly event: ReactedEvent }
  | { readonly from: 'deadline'; readonly kind: string; readonly dueAt: Instant };

/** The stored reference of a stimulus until it is handled. The event itself is in the log. */
export type StimulusRef =
  | {
      readonly from: 'event';
      readonly streamType: StreamType;
      readonly streamId: string;
      readonly version: number;
    }
  | { readonly from: 'deadline'; readonly kind: string; readonly dueAt: Instant };

/** Inputs that a saga cannot create itself because it is pure. */
export interface SagaContext {
  /** The key of the saga's instance, e.g. the order's id. */
  readonly key: string;
  readonly now: Instant;
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

/**
 * The operations available to a saga: command aggregates and set deadlines, as in `StepBuilder`.
 */
export interface SagaStep {
  execute<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
  ): Promise<State>;
  create<State, Command extends DomainCommand, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
  ): State;
  setDeadline(change: DeadlineChange): void;
}

export interface SagaOutcome<State> {
  readonly state: State;
  /** Whether the instance needs no more reactions: its deadlines are then removed. */
  readonly done: boolean;
}

/**
 * A workflow across aggregates. It reacts in the step that decided the event, before that step
 * commits: the event, the saga's state and all consequences are one commit.
 */
export interface Saga<State = unknown> {
  /**
   * The name of the saga in the database, and in the actor of its events (`saga:<name>`). It never
   * changes.
   */
  readonly name: string;
  readonly initialState: State;
  /**
   * Upcasters of a saved state, from version 1 on. A state that an older release would misread (a
   * new status, a changed meaning of a field) needs a new version, even if its shape is unchanged:
   * an older process then does not change the instance.
   */
  readonly stateUpcasters: readonly Upcaster[];
  /** The kinds of the saga's deadlines. The key of a deadline is the key of the instance. */
  readonly deadlines: readonly string[];
  /** The key of the instance that reacts to the event; null if the saga ignores it. */
  readonly keyOf: (event: ReactedEvent) => string | null;
  /**
   * Decides on the state and issues commands through `step`; no I/O, because it runs again after a
   * conflict. If it throws, this stimulus and the later ones of the instance are queued for a
   * retry.
   */
  readonly react: (
    state: State,
    stimulus: Stimulus,
    context: SagaContext,
    step: SagaStep,
  ) => Promise<SagaOutcome<State>>;
}

/** Stimuli to which a saga instance failed to react; later ones are queued behind the first. */
export interface WaitingReactions {
  /** Oldest first, at least one. */
  readonly stimuli: readonly StimulusRef[];
  /** The number of failures of the first queued stimulus. */
  readonly attempts: number;
  /** The last error of the first queued stimulus. */
  readonly error: string;
}
