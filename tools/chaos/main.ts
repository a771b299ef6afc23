import pg from 'pg';
import { checkAll } from './checks/index.js';
import { reportOf } from './report.js';
import { type ChaosOptions, factsOf, makeChaos } from './run.js';
import { planOrders } from './scenario.js';

/** Executes a whole chaos run and prints its progress. Returns whether every invariant holds. */
export const runChaos = async (
  options: Omit<ChaosOptions, 'plans'> & { readonly orders: number },
): Promise<boolean> => {
  const { seed, say, orders } = options;
  const end = await makeChaos({ ...options, plans: planOrders(seed, orders) });
  const { orchestrator, sandbox, fulfilment } = end.stack.databases;
  const pools = [orchestrator, sandbox, fulfilment ?? ''].map(
    (connectionString) => new pg.Pool({ connectionString, max: 1 }),
  );
  const [ours, theirs, others] = pools as [pg.Pool, pg.Pool, pg.Pool];
  try {
    const facts = await factsOf(end, ours, theirs, others);
    const { lines, holds } = reportOf(checkAll(facts), seed);
    say('');
    for (const line of lines) say(line);
    return holds;
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
    await end.stop();
  }
};
