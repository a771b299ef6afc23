import type { StepBuilder, StreamType } from '#event-store';
import type { EventMessage } from './cloud-event.js';

/** What a consumer wants to be told, and what it does about it. */
export interface Subscription {
  /** Names the inbox and, with the topics' prefix, the consumer group. Never changes. */
  readonly name: string;
  /** The actor of the events that follow from what it takes, e.g. `saga:checkout`. */
  readonly actor: string;
  /** The streams whose topics it reads, from their beginning. */
  readonly streams: readonly StreamType[];
  /** The event types that `handle` is called for; all others are passed over. */
  readonly handles: ReadonlySet<string>;
  /**
   * Decides what follows from one event and gathers it in the step, which also holds the receipt:
   * all of it is committed at once, or none. Runs again after a conflict or a lost connection, so
   * it does nothing outside the step. Events of one stream come in order, one at a time.
   *
   * A `Rejection` or a failed assertion parks the stream; infrastructure errors are tried again.
   */
  readonly handle: (message: EventMessage, step: StepBuilder) => Promise<void> | void;
}
