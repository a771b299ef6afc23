import type { SeedResult } from './run-seed.js';

/** A failed simulation, with the results of its first run. */
export type FailedSeed = Pick<SeedResult, 'seed' | 'turns' | 'violations' | 'traceHash'>;

/** Totals over many simulations. */
export interface Tally {
  readonly seeds: number;
  readonly turns: number;
  readonly operatorActions: number;
  /** The largest number of actions of operators in one simulation. */
  readonly mostActions: number;
  readonly failed: readonly FailedSeed[];
}

export const NO_SEEDS: Tally = {
  seeds: 0,
  turns: 0,
  operatorActions: 0,
  mostActions: 0,
  failed: [],
};

export const tallyOf = (result: SeedResult): Tally => {
  const { seed, turns, operatorActions, violations, traceHash } = result;
  return {
    seeds: 1,
    turns,
    operatorActions,
    mostActions: operatorActions,
    failed: violations.length === 0 ? [] : [{ seed, turns, violations, traceHash }],
  };
};

export const sumOf = (a: Tally, b: Tally): Tally => ({
  seeds: a.seeds + b.seeds,
  turns: a.turns + b.turns,
  operatorActions: a.operatorActions + b.operatorActions,
  mostActions: Math.max(a.mostActions, b.mostActions),
  failed: [...a.failed, ...b.failed],
});

export const linesOf = (
  { seeds, turns, operatorActions, mostActions, failed }: Tally,
  seconds: number,
): readonly string[] => [
  `operators acted ${operatorActions} times, at most ${mostActions} times in one seed`,
  `${seeds} seeds, ${turns} turns, ${failed.length} failed, ${Math.round(seeds / seconds)} seeds/s`,
];
