import { assert } from '#kernel';

/** The transitions of each state. Transitions that are not listed are impossible. */
export type TransitionTable<State extends string, Move extends string> = {
  readonly [S in State]: { readonly [M in Move]?: State };
};

/**
 * A state machine as a table of transitions. Every change of a status follows this table, and
 * docs/generated/sandbox-states.md is generated from it.
 */
export interface StateMachine<State extends string, Move extends string> {
  readonly name: string;
  readonly table: TransitionTable<State, Move>;
  readonly states: readonly State[];
  can(from: State, move: Move): boolean;
  /** The state after the transition. An impossible transition is a bug: check `can` first. */
  next(from: State, move: Move): State;
}

export const stateMachine = <State extends string, Move extends string>(
  name: string,
  table: TransitionTable<State, Move>,
): StateMachine<State, Move> => ({
  name,
  table,
  states: Object.keys(table) as State[],
  can: (from, move) => table[from][move] !== undefined,
  next: (from, move) => {
    const to = table[from][move];
    assert(to !== undefined, `a ${name} that is ${from} allows '${move}'`);
    return to;
  },
});
