import { runCase, scriptOf, type SeedResult, type SimulationCase } from './run-seed.js';
import { faultsOf, kindOfViolation, shrink } from './shrink.js';
import type { FailedSeed } from './tally.js';

const TRACE_LINES = 200;

/** The options of `npm run simulate` that replay the simulation. */
export const replayOf = ({ seed, schedule, orders, without = [] }: SimulationCase): string =>
  [
    `--seeds 1 --from ${seed}`,
    ...(schedule === undefined ? [] : [`--schedule ${schedule}`]),
    ...(orders === undefined ? [] : [`--orders ${orders.join(',')}`]),
    ...(without.length === 0 ? [] : [`--without ${without.join(',')}`]),
  ].join(' ');

/** The failure as text: the violated invariants, and the last turns of the processes. */
const linesOfTraced = ({ seed, trace, violations }: SeedResult): readonly string[] => [
  `seed ${seed} fails:`,
  ...violations.map((what) => `  violated: ${what}`),
  `the last ${TRACE_LINES} of its ${trace.length} turns:`,
  ...trace.slice(-TRACE_LINES).map((line) => `  ${line}`),
];

/**
 * Describes how the first run differs from its replay. If they differ, the seed does not determine
 * the whole simulation, and only the violations of the first run show what failed.
 */
const differenceOf = (first: FailedSeed, replay: SeedResult): readonly string[] =>
  replay.traceHash === first.traceHash
    ? []
    : [
        `seed ${first.seed} failed after ${first.turns} turns; its replay ran otherwise (${replay.turns} turns).`,
        ...first.violations.map((what) => `  violated at first: ${what}`),
      ];

/** Describes a failed simulation by a replay, which must run as the simulation did. */
export const describeReplay = async (
  one: SimulationCase,
  first: FailedSeed,
): Promise<readonly string[]> => {
  const replay = await runCase(one, true);
  return [...differenceOf(first, replay), ...linesOfTraced(replay)];
};

/** Shrinks a failed simulation, and describes the smaller one with its orders and faults. */
export const describeShrunk = async (one: SimulationCase): Promise<readonly string[]> => {
  const { violations } = await runCase(one);
  const kinds = violations.map(kindOfViolation);
  const shrunk = await shrink(one, async (tried) => {
    const found = await runCase(tried);
    return found.violations.map(kindOfViolation).some((kind) => kinds.includes(kind));
  });
  const faults = faultsOf(shrunk);
  return [
    `seed ${one.seed} fails; a smaller simulation fails in the same way:`,
    `  npm run simulate -- ${replayOf(shrunk)}`,
    `  faults: ${faults.length === 0 ? 'none' : faults.join(', ')}`,
    ...scriptOf(shrunk).map((plan) => `  order: ${JSON.stringify(plan)}`),
    ...linesOfTraced(await runCase(shrunk, true)),
  ];
};
