import { printReport } from './print-report.js';
import { type ChaosOptions, makeChaos } from './run.js';
import { planOrders } from './scenario.js';

/** Executes a whole chaos run and prints its progress. Returns whether every invariant holds. */
export const runChaos = async (
  options: Omit<ChaosOptions, 'plans' | 'refunds'> & { readonly orders: number },
): Promise<boolean> => {
  const { seed, orders } = options;
  const end = await makeChaos({ ...options, refunds: true, plans: planOrders(seed, orders) });
  try {
    return await printReport(end, options);
  } finally {
    await end.stop();
  }
};
