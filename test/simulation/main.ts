import { runSeed, type SeedResult } from './run-seed.js';

export interface ManySeeds {
  readonly seeds: number;
  readonly from: number;
  readonly say: (line: string) => void;
}

const TRACE_LINES = 200;

/**
 * Describes a failed simulation: its seed, the violated invariants and the last turns of its
 * processes.
 */
export const describeFailure = async ({
  seed,
  violations,
}: SeedResult): Promise<readonly string[]> => {
  const { trace } = await runSeed(seed, true);
  return [
    `seed ${seed} fails:`,
    ...violations.map((what) => `  violated: ${what}`),
    `the last ${TRACE_LINES} of its ${trace.length} turns:`,
    ...trace.slice(-TRACE_LINES).map((line) => `  ${line}`),
  ];
};

/**
 * Runs simulations one after another; prints a description of each failed simulation, and returns
 * the failed seeds.
 */
export const runSeeds = async ({ seeds, from, say }: ManySeeds): Promise<readonly number[]> => {
  const failed: number[] = [];
  const startedMs = performance.now();
  let turns = 0;
  let actions = 0;
  let mostActions = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const result = await runSeed(seed);
    turns += result.turns;
    actions += result.operatorActions;
    mostActions = Math.max(mostActions, result.operatorActions);
    if (result.violations.length === 0) continue;
    failed.push(seed);
    for (const line of await describeFailure(result)) say(line);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const pace = `${Math.round(seeds / seconds)} seeds/s`;
  say(`operators acted ${actions} times, at most ${mostActions} times in one seed`);
  say(`${seeds} seeds, ${turns} turns, ${failed.length} failed, ${pace}`);
  return failed;
};
