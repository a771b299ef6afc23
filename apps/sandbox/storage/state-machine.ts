import { assert } from '#kernel';

/** From each state, which move leads where. What is not listed is not possible. */
export type MoveTable<State extends string, Move extends string> = {
  readonly [S in State]: { readonly [M in Move]?: State };
};

/** A state machine as a table: the only way a status changes, and what docs are drawn from. */
export interface StateMachine<State extends string, Move extends string> {
  readonly name: string;
  readonly table: MoveTable<State, Move>;
  readonly states: readonly State[];
  can(from: State, move: Move): boolean;
  /** Where the move leads. Fails as a bug when it is not possible: ask `can` first. */
  next(from: State, move: Move): State;
}

export const stateMachine = <State extends string, Move extends string>(
  name: string,
  table: MoveTable<State, Move>,
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
