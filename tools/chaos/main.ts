import { FailedDuringRun } from './expired-claims.js';
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
    if (!(error instanceof FailedDuringRun)) throw error;
    say(`  ✗ ${error.message}`);
    say(`1 checks failed during the run, the others did not run, seed ${seed}.`);
    return false;
  }
  try {
    return await printReport(end, options);
  } finally {
    await end.stop();
  }
};
