/** What every domain event has: its type names it, the rest is its data. */
export interface DomainEvent {
  readonly type: string;
}

/** What every command has. */
export interface DomainCommand {
  readonly type: string;
}

/**
 * The whole behaviour of an aggregate, pure: no clock, randomness or I/O; time and ids come in the
 * command. `decide` throws `Rejection` when the business says no, and returns no event when there
 * is nothing new to tell.
 */
export interface Decider<State, Command extends DomainCommand, Event extends DomainEvent> {
  readonly initialState: State;
  readonly decide: (state: State, command: Command) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
}

/** The state that a history leads to. */
export const fold = <State, Event extends DomainEvent>(
  decider: Pick<Decider<State, DomainCommand, Event>, 'initialState' | 'evolve'>,
  events: readonly Event[],
): State => events.reduce(decider.evolve, decider.initialState);
