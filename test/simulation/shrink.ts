import { type Fault, ratesOf, scriptOf, type SimulationCase } from './run-seed.js';

/** How many other schedules are tried for each smaller simulation. */
const SCHEDULES = 20;

/** The violation without ids and numbers, because they differ between simulations. */
export const kindOfViolation = (violation: string): string =>
  violation.replaceAll(/\b[a-z]+_[A-Za-z0-9]+|\d+/g, '…').split('\n', 1)[0] ?? '';

export const faultsOf = (one: SimulationCase): readonly Fault[] => {
  const rates = Object.entries(ratesOf(one)).filter(([, rate]) => rate > 0);
  const isLying = scriptOf(one).some(({ lie }) => lie !== null);
  return [...rates.map(([fault]) => fault as Fault), ...(isLying ? ['lie' as const] : [])];
};

const ordersOf = (one: SimulationCase): readonly number[] =>
  scriptOf(one).map(({ ordinal }) => ordinal);

/** The simulations with one order less, and those with one kind of fault less. */
const smaller = (one: SimulationCase): readonly SimulationCase[] => {
  const orders = ordersOf(one);
  const fewer = orders.length === 1 ? [] : orders;
  return [
    ...fewer.map((left) => ({ ...one, orders: orders.filter((order) => order !== left) })),
    ...faultsOf(one).map((fault) => ({ ...one, without: [...(one.without ?? []), fault] })),
  ];
};

const schedulesOf = (one: SimulationCase): readonly SimulationCase[] => [
  one,
  ...Array.from({ length: SCHEDULES }, (_, index) => ({ ...one, schedule: index + 1 })),
];

/**
 * Finds a smaller simulation that still fails in the same way. Removes orders and kinds of faults
 * one after another, until no more can be removed. Each removal changes the schedule, so several
 * schedules are tried. `fails` returns whether a simulation fails in the same way.
 */
export const shrink = async (
  failed: SimulationCase,
  fails: (one: SimulationCase) => Promise<boolean>,
): Promise<SimulationCase> => {
  const failing = async (one: SimulationCase): Promise<SimulationCase | null> => {
    for (const tried of schedulesOf(one)) if (await fails(tried)) return tried;
    return null;
  };
  const firstFailing = async (
    candidates: readonly SimulationCase[],
  ): Promise<SimulationCase | null> => {
    for (const one of candidates) {
      const found = await failing(one);
      if (found !== null) return found;
    }
    return null;
  };
  let present = failed;
  for (;;) {
    const found = await firstFailing(smaller(present));
    if (found === null) return present;
    present = found;
  }
};
