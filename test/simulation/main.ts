import { describeReplay } from './describe-failure.js';
import { runCase, type SimulationCase } from './run-seed.js';
import { linesOf, NO_SEEDS, sumOf, tallyOf } from './tally.js';

export interface ManySeeds {
  readonly seeds: number;
  readonly from: number;
  readonly say: (line: string) => void;
  /**
   * The options that reduce each simulation, e.g. to some of its orders; by default a simulation is
   * complete.
   */
  readonly part?: Omit<SimulationCase, 'seed'>;
}

/**
 * Runs simulations one after another; prints a description of each failed simulation, and returns
 * the failed seeds.
 */
export const runSeeds = async ({
  seeds,
  from,
  say,
  part = {},
}: ManySeeds): Promise<readonly number[]> => {
  const startedMs = performance.now();
  let tally = NO_SEEDS;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const result = await runCase({ seed, ...part });
    tally = sumOf(tally, tallyOf(result));
    if (result.violations.length === 0) continue;
    for (const line of await describeReplay({ seed, ...part }, result)) say(line);
  }
  for (const line of linesOf(tally, (performance.now() - startedMs) / 1_000)) say(line);
  return tally.failed.map(({ seed }) => seed);
};
