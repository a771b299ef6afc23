import pg from 'pg';
import { checkAll, type CheckedResult } from './checks/index.js';
import { reportOf } from './report.js';
import { type ChaosEnd, factsOf } from './run.js';

interface Printing {
  readonly seed: number;
  readonly say: (line: string) => void;
  /**
   * An additional check that only this kind of run has; `sandbox` has connections to the provider's
   * database.
   */
  readonly more?: (sandbox: pg.Pool) => Promise<CheckedResult>;
}

type RunEnd = Pick<ChaosEnd, 'stack' | 'accepted' | 'published'> & Partial<ChaosEnd>;

/** Reads the facts of a finished run and prints the report. Returns whether every check passed. */
export const printReport = async (end: RunEnd, { seed, say, more }: Printing): Promise<boolean> => {
  const { databases } = end.stack;
  const pools: pg.Pool[] = [];
  const poolOf = (connectionString: string): pg.Pool => {
    const pool = new pg.Pool({ connectionString, max: 1 });
    pools.push(pool);
    return pool;
  };
  try {
    const sandbox = poolOf(databases.sandbox);
    const fulfilment = databases.fulfilment === null ? null : poolOf(databases.fulfilment);
    const facts = await factsOf(end, poolOf(databases.orchestrator), sandbox, fulfilment);
    const results = [...checkAll(facts), ...(more === undefined ? [] : [await more(sandbox)])];
    const { lines, holds } = reportOf(results, seed);
    say('');
    for (const line of lines) say(line);
    return holds;
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
};
