import pg from 'pg';
import { checkAll } from './checks/index.js';
import { reportOf } from './report.js';
import { type ChaosOptions, factsOf, makeChaos } from './run.js';
import { planOrders } from './scenario.js';

/** A whole run, told line by line. Answers whether everything held. */
export const runChaos = async (
  options: Omit<ChaosOptions, 'plans'> & { readonly orders: number },
): Promise<boolean> => {
  const { seed, say, orders } = options;
  const end = await makeChaos({ ...options, plans: planOrders(seed, orders) });
  const { databases } = end.stack;
  const orchestrator = new pg.Pool({ connectionString: databases.orchestrator, max: 1 });
  const sandbox = new pg.Pool({ connectionString: databases.sandbox, max: 1 });
  try {
    const { lines, holds } = reportOf(checkAll(await factsOf(end, orchestrator, sandbox)), seed);
    say('');
    for (const line of lines) say(line);
    return holds;
  } finally {
    await Promise.all([orchestrator.end(), sandbox.end()]);
    await end.stop();
  }
};
