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

/** An event as sagas see it: its data is in the schema of today. */
export interface ReactedEvent {
  readonly streamType: StreamType;
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: EventMetadata;
}

/** What a saga reacts to: an event, or a deadline that it has set. */
export type Stimulus =
  | { readonly from: 'event'; readonly event: ReactedEvent }
  | { readonly from: 'deadline'; readonly kind: string; readonly dueAt: Instant };

/** Names a stimulus until it is reacted to. The log says what the event is. */
export type StimulusRef =
  | {
      readonly from: 'event';
      readonly streamType: StreamType;
      readonly streamId: string;
      readonly version: number;
    }
  | { readonly from: 'deadline'; readonly kind: string; readonly dueAt: Instant };

/** What a saga may not make itself. */
export interface SagaContext {
  /** The key of the saga's instance, e.g. the order's id. */
  readonly key: string;
  readonly now: Instant;
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

/** What a saga may do: command aggregates and set deadlines, as `StepBuilder` does it. */
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
  /** It waits for nothing any more. */
  readonly done: boolean;
}

/**
 * What follows from what, across aggregates. It reacts in the step that decided the event, before
 * that step commits: the event, the saga's state and all that follows are one commit.
 */
export interface Saga<State = unknown> {
  /** Names its rows, and the actor of its events (`saga:<name>`). Never changes. */
  readonly name: string;
  readonly initialState: State;
  /**
   * From version 1 on, each upcasts a saved state to the next version. A state that an older
   * release would misread (a new status, another meaning of a field) is a new version, also where
   * nothing changes: an older process then leaves the instance alone.
   */
  readonly stateUpcasters: readonly Upcaster[];
  /** The kinds of its deadlines; the key of such a deadline is the key of the instance. */
  readonly deadlines: readonly string[];
  /** The key of the instance that reacts to the event; null where the saga does not react to it. */
  readonly keyOf: (event: ReactedEvent) => string | null;
  /**
   * Decides on the state and commands through `step`; no I/O of its own, as it runs again after a
   * conflict. What it throws keeps this stimulus, and the later ones of the instance, for a retry.
   */
  readonly react: (
    state: State,
    stimulus: Stimulus,
    context: SagaContext,
    step: SagaStep,
  ) => Promise<SagaOutcome<State>>;
}

/** Stimuli that a saga's instance could not react to; the later ones wait behind the first. */
export interface WaitingReactions {
  /** Oldest first, at least one. */
  readonly stimuli: readonly StimulusRef[];
  /** How often the first of them has failed. */
  readonly attempts: number;
  /** Why it failed last. */
  readonly error: string;
}
