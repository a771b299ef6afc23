import type {
  Aggregate,
  Clock,
  DeadlineChange,
  DomainCommand,
  DomainEvent,
  Instant,
  StreamType,
  Upcaster,
} from '#kernel';
import type { EventMetadata } from './stream.js';

/** An event as a saga receives it: upcast to the current schema. */
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

/** The inputs that a saga cannot create itself, because it is pure. */
export interface SagaContext {
  /** The key of the saga's instance, e.g. the order's id. */
  readonly key: string;
  readonly now: Instant;
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

/** What a saga can do: send commands to aggregates and set deadlines, as in `StepBuilder`. */
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
  /** Whether the instance has finished; the deadlines of a finished instance are removed. */
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
   * The upcasters of a saved state, from version 1 on. A change of the state that an older release
   * would misread (a new status, a changed meaning of a field) needs a new version, even if the
   * fields are the same. A process of the older release does not change an instance with a newer
   * version.
   */
  readonly stateUpcasters: readonly Upcaster[];
  /** The kinds of the saga's deadlines. The key of a deadline is the key of the instance. */
  readonly deadlines: readonly string[];
  /** The key of the instance that reacts to the event; null if the saga ignores it. */
  readonly keyOf: (event: ReactedEvent) => string | null;
  /**
   * Reacts to the stimulus: sends commands through `step`, and returns the new state. It does no
   * I/O, because it runs again after a conflict. If it throws, the stimulus is queued for a retry,
   * and later stimuli of the instance are queued behind it.
   */
  readonly react: (
    state: State,
    stimulus: Stimulus,
    context: SagaContext,
    step: SagaStep,
  ) => Promise<SagaOutcome<State>>;
}

/** The sagas of a process and their dependencies. */
export interface Reactions {
  readonly sagas: readonly Saga[];
  readonly clock: Clock;
  /** Default: random ids. */
  readonly newId?: SagaContext['newId'];
}

/**
 * The stimuli (events and deadlines) to which a saga instance has not reacted: the reaction to the
 * first stimulus failed, and later stimuli are queued behind it.
 */
export interface WaitingReactions {
  /** The queued events and deadlines, oldest first; at least one. */
  readonly stimuli: readonly StimulusRef[];
  /** The number of failures of the first queued stimulus. */
  readonly attempts: number;
  /** The last error of the first queued stimulus. */
  readonly error: string;
}
