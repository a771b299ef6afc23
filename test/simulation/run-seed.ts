import { randomFrom } from '../../tools/chaos/random.js';
import { drawRates, type FaultRates } from './faults.js';
import { withLie } from './lying-script.js';
import { drawScript, type OrderPlan } from './script.js';
import { Simulation } from './simulation.js';

/** A kind of fault that can be excluded from a simulation. */
export type Fault = keyof FaultRates | 'lie';

/**
 * A simulation that a seed determines completely. Optional fields reduce it to some of its orders
 * and faults, or change its schedule.
 */
export interface SimulationCase {
  readonly seed: number;
  /** The seed of the sequence of turns and of the places of faults. Default: `seed`. */
  readonly schedule?: number;
  /** The numbers of the orders. Default: all. */
  readonly orders?: readonly number[];
  /** The kinds of faults that are excluded. Default: none. */
  readonly without?: readonly Fault[];
}

export interface SeedResult {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly turns: number;
  readonly operatorActions: number;
  readonly traceHash: string;
  readonly trace: readonly string[];
}

export const scriptOf = ({ seed, orders, without = [] }: SimulationCase): readonly OrderPlan[] => {
  const honest = drawScript(randomFrom(seed, 'script'));
  const script = without.includes('lie') ? honest : withLie(honest, randomFrom(seed, 'lies'));
  return script.filter(({ ordinal }) => orders?.includes(ordinal) ?? true);
};

export const ratesOf = ({ seed, without = [] }: SimulationCase): FaultRates => ({
  ...drawRates(randomFrom(seed, 'faults')),
  ...Object.fromEntries(without.filter((fault) => fault !== 'lie').map((fault) => [fault, 0])),
});

export const runCase = async (one: SimulationCase, traced = false): Promise<SeedResult> => {
  const { seed, schedule = seed } = one;
  const simulation = new Simulation({
    seed: schedule,
    traced,
    script: scriptOf(one),
    rates: ratesOf(one),
  });
  const violations = await simulation.run();
  const { turns, trace, operators } = simulation;
  const operatorActions = operators.actions;
  return { seed, violations, turns, operatorActions, trace, traceHash: simulation.traceHash() };
};

/** Runs one simulation. The seed determines its script, faults and schedule. */
export const runSeed = (seed: number, traced = false): Promise<SeedResult> =>
  runCase({ seed }, traced);
