import { deepStrictEqual, strictEqual } from 'node:assert';

import type { Decider, DomainCommand, DomainEvent } from '#kernel';
import { fold, Rejection } from '#kernel';

/** The possible results of a command. A test expects exactly one of them. */
export interface Outcome<Event> {
  /** Expects exactly these events, in this order. */
  then(...events: readonly Event[]): void;
  thenNothing(): void;
  /** Expects a `Rejection` with this code. */
  thenRejected(code: string): void;
}

/** A history, to which a test applies a command. */
export interface Given<Command, Event> {
  when(command: Command): Outcome<Event>;
}

type Result<Event> = { readonly events: readonly Event[] } | { readonly rejection: Rejection };

const eventsOf = <Event>(result: Result<Event>): readonly Event[] => {
  if ('rejection' in result) throw result.rejection;
  return result.events;
};

const outcomeOf = <Event>(result: Result<Event>): Outcome<Event> => ({
  then: (...events) => deepStrictEqual(eventsOf(result), events),
  thenNothing: () => deepStrictEqual(eventsOf(result), []),
  thenRejected: (code) => {
    strictEqual('rejection' in result ? result.rejection.code : 'no rejection', code);
  },
});

/**
 * Given / when / then for a decider:
 * ```ts
 * const given = scenario(orderDecider);
 * test('…', () => given(placed).when(cancel).then(canceled));
 * ```
 * Any error other than a `Rejection` is a bug, and the test fails with this error.
 */
export const scenario =
  <State, Command extends DomainCommand, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
  ) =>
  (...history: readonly Event[]): Given<Command, Event> => ({
    when: (command) => {
      const state = fold(decider, history);
      try {
        return outcomeOf<Event>({ events: decider.decide(state, command) });
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        return outcomeOf<Event>({ rejection: error });
      }
    },
  });

/**
 * Every command but the one that begins an aggregate, each type with its examples. A new command
 * type does not compile until it has an example.
 * ```ts
 * const LATER: LaterCommands<OrderCommand, 'PlaceOrder'> = { … };
 * test.each(examplesOf(LATER))('refuses $type', (command) => …);
 * ```
 */
export type LaterCommands<Command extends DomainCommand, Begins extends Command['type']> = {
  readonly [Type in Exclude<Command['type'], Begins>]: readonly [
    Extract<Command, { type: Type }>,
    ...Extract<Command, { type: Type }>[],
  ];
};

export const examplesOf = <Example>(
  examples: Readonly<Record<string, readonly Example[]>>,
): readonly Example[] => Object.values(examples).flat();
