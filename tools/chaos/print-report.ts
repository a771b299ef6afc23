import pg from 'pg';
import { checkAll } from './checks/index.js';
import type { Facts } from './facts.js';
import { reportOf } from './report.js';
import { type ChaosEnd, factsOf } from './run.js';

interface Printing {
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Changes the facts that the checks examine. By default they examine all facts of the run. */
  readonly of?: (facts: Facts) => Facts;
}

type RunEnd = Pick<ChaosEnd, 'stack' | 'accepted' | 'published'> & Partial<ChaosEnd>;

/** Reads the facts of a finished run and prints the report. Returns whether every check passed. */
export const printReport = async (
  end: RunEnd,
  { seed, say, of = (facts) => facts }: Printing,
): Promise<boolean> => {
  const { databases } = end.stack;
  const pools: pg.Pool[] = [];
  const poolOf = (connectionString: string): pg.Pool => {
    const pool = new pg.Pool({ connectionString, max: 1 });
    pools.push(pool);
    return pool;
  };
  try {
    const fulfilment = databases.fulfilment === null ? null : poolOf(databases.fulfilment);
    const facts = await factsOf(
      end,
      poolOf(databases.orchestrator),
      poolOf(databases.sandbox),
      fulfilment,
    );
    const { lines, holds } = reportOf(checkAll(of(facts)), seed);
    say('');
    for (const line of lines) say(line);
    return holds;
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
};
