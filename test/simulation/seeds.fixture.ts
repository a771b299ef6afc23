import { tellFailure } from './main.js';
import { runSeed } from './run-seed.js';

/** A free turn now and then lets the test runner live. */
const BREATH_EVERY = 20;

/** Runs worlds; the first that fails is told with its seed and its trace. */
export const expectSeedsToHold = async (from: number, seeds: number): Promise<void> => {
  for (let seed = from; seed < from + seeds; seed += 1) {
    const result = await runSeed(seed);
    if (result.violations.length > 0) throw new Error((await tellFailure(result)).join('\n'));
    if (seed % BREATH_EVERY === 0) await new Promise((resolve) => setImmediate(resolve));
  }
};
