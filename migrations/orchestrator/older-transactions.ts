import { setTimeout } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

const POLL_MS = 50;

/** Every transaction holds its virtual id, also one that has written nothing and only waits. */
const OTHERS = `
  SELECT array_agg(l.virtualxid) AS ids
    FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
   WHERE l.locktype = 'virtualxid' AND l.granted AND l.pid <> pg_backend_pid()
     AND a.datname = current_database() AND a.usesysid IS NOT NULL`;

const LEFT = `
  SELECT pid FROM pg_locks WHERE locktype = 'virtualxid' AND granted AND virtualxid = ANY ($1)`;

/**
 * Waits until each transaction of this database that runs now has ended; vacuums are not waited
 * for. A lock on the tables would not do: a call that waits for its own locks inside a function has
 * none on a table yet, and would go on behind us with the code that it began with.
 *
 * @throws Error that names the processes whose transactions have not ended in time.
 */
export const waitForOlderTransactions = async (
  runner: QueryRunner, maxWaitMs: number,
): Promise<void> => {
  const [{ ids }] = await runner.query(OTHERS) as [{ ids: string[] | null }];
  if (ids === null) return;
  const endsAt = Date.now() + maxWaitMs;
  for (;;) {
    const left = await runner.query(LEFT, [ids]) as { pid: number }[];
    if (left.length === 0) return;
    if (Date.now() >= endsAt) {
      const pids = left.map(({ pid }) => pid).join(', ');
      throw new Error(`transactions from before the migration still run (pid ${pids}): ` +
        'end them with pg_terminate_backend, then migrate again');
    }
    await setTimeout(POLL_MS);
  }
};
