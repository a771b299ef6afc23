import { checkFailedBy } from './failed-during-run.js';
import { printReport } from './print-report.js';
import { type ChaosEnd, type ChaosOptions, makeChaos } from './run.js';
import { plansOfRun } from './scenario.js';

/** Executes a whole chaos run and prints its progress. Returns whether every invariant holds. */
export const runChaos = async (
  options: Omit<ChaosOptions, 'plans' | 'refunds'> & { readonly orders: number },
): Promise<boolean> => {
  const { seed, orders, say } = options;
  let end: ChaosEnd;
  try {
    end = await makeChaos({ ...options, refunds: true, plans: plansOfRun(seed, orders) });
  } catch (error) {
    const check = checkFailedBy(error);
    if (check === null) throw error;
    say(`  ✗ ${check}`);
    say(`1 checks failed during the run, the others did not run, seed ${seed}.`);
    return false;
  }
  try {
    return await printReport(end, options);
  } finally {
    await end.stop();
  }
};
