/** A domain event: `type` is its name, and all other fields are its data. */
export interface DomainEvent {
  readonly type: string;
}

/** The field that every command has. */
export interface DomainCommand {
  readonly type: string;
}

/**
 * The complete behaviour of an aggregate as pure functions: no clock, randomness or I/O; times and
 * ids are in the command. `decide` throws `Rejection` if a business rule forbids the command, and
 * returns no event if there is nothing new to record.
 */
export interface Decider<State, Command extends DomainCommand, Event extends DomainEvent> {
  readonly initialState: State;
  readonly decide: (state: State, command: Command) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
}

/** The state after these events. */
export const fold = <State, Event extends DomainEvent>(
  decider: Pick<Decider<State, DomainCommand, Event>, 'initialState' | 'evolve'>,
  events: readonly Event[],
): State => events.reduce(decider.evolve, decider.initialState);

/**
 * A map from each event type of a union to a function or to `ignored`. A map without an entry for a
 * new event type does not compile.
 */
export type EventMap<Event extends DomainEvent, Args extends readonly unknown[], Result> = {
  readonly [Type in Event['type']]:
    | 'ignored'
    | ((event: Extract<Event, { readonly type: Type }>, ...args: Args) => Result);
};

/** The event types that an `EventMap` ignores, as entries of the map. */
export const ignored = <const Types extends readonly string[]>(
  ...types: Types
): Readonly<Record<Types[number], 'ignored'>> =>
  Object.fromEntries(types.map((type) => [type, 'ignored'])) as Record<Types[number], 'ignored'>;

/**
 * Calls the map's function for an event and returns its result; returns `otherwise` if the map
 * ignores the event.
 */
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

/** Whether the map has a function for this event type. */
export const isHandled = (map: Readonly<Record<string, unknown>>, type: string): boolean =>
  Object.hasOwn(map, type) && map[type] !== 'ignored';
