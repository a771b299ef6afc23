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
 * is nothing new to record.
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

/**
 * What each event of a union leads to in one place, or `ignored`: a new event does not compile
 * until it says so everywhere.
 */
export type EventMap<Event extends DomainEvent, Args extends readonly unknown[], Result> = {
  readonly [Type in Event['type']]:
    | 'ignored'
    | ((event: Extract<Event, { readonly type: Type }>, ...args: Args) => Result);
};

/** What a map makes of an event; `otherwise` where it is ignored. */
export const mapEvent = <Event extends DomainEvent, Args extends readonly unknown[], Result>(
  map: EventMap<Event, Args, Result>,
  otherwise: NoInfer<Result>,
  event: Event,
  ...args: Args
): Result => {
  const handle = map[event.type as Event['type']] as
    | 'ignored'
    | ((event: Event, ...args: Args) => Result);
  return handle === 'ignored' ? otherwise : handle(event, ...args);
};

/** Whether the type of an event is in a total map, and is not ignored there. */
export const isHandled = (map: Readonly<Record<string, unknown>>, type: string): boolean =>
  Object.hasOwn(map, type) && map[type] !== 'ignored';
