import { randomFrom } from '../../tools/chaos/random.js';
import { drawRates } from './faults.js';
import { withLie } from './lying-script.js';
import { drawScript } from './script.js';
import { Simulation } from './simulation.js';

export interface SeedResult {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly turns: number;
  /** How many actions the operators executed in the console. */
  readonly operatorActions: number;
  readonly traceHash: string;
  readonly trace: readonly string[];
}

/** Runs one simulation, whose script, faults and schedule the seed determines. */
export const runSeed = async (seed: number, traced = false): Promise<SeedResult> => {
  const simulation = new Simulation({
    seed,
    traced,
    script: withLie(drawScript(randomFrom(seed, 'script')), randomFrom(seed, 'lies')),
    rates: drawRates(randomFrom(seed, 'faults')),
  });
  const violations = await simulation.run();
  const { turns, trace, operators } = simulation;
  const operatorActions = operators.actions;
  return { seed, violations, turns, operatorActions, trace, traceHash: simulation.traceHash() };
};
