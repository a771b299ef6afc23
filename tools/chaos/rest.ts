import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type { Stack } from '../stack/stack.js';

/** The speed of business time at the end of a run: one day per second of real time. */
const FAST = 86_400;
const FAST_AT_MOST_MS = 10_000;
const MAX_DAYS = 20;
/**
 * The time without a change of the open work after which the run reports that the work never ends.
 * It is long, because a day of business time takes minutes on a busy machine.
 */
const UNCHANGED_MS = 240_000;

/**
 * Selects the jobs of deadlines. Recurring jobs of an account are omitted, because they never end.
 */
const IS_DEADLINE = `j.subject_id IS NULL AND j.kind NOT LIKE 'account.%' AND j.kind NOT LIKE 'payout.%'`;

/**
 * Counts the open work. Two kinds of work are not counted, because they last too long: the polling
 * of captured payments, which may be disputed for a year, and the sagas of merchants, which end
 * when the company is closed.
 */
const OPEN = `
  SELECT (SELECT count(*) FROM sagas WHERE NOT done AND saga = 'checkout')::int AS sagas,
         (SELECT count(*) FROM jobs
           WHERE subject_id IS NOT NULL AND state NOT IN ('done', 'stuck'))::int AS calls,
         (SELECT count(*) FROM jobs WHERE subject_id IS NOT NULL AND state = 'stuck')::int AS stuck,
         (SELECT count(*) FROM jobs j
           WHERE ${IS_DEADLINE} AND NOT (j.kind = 'payment.read' AND EXISTS (
             SELECT FROM payment_list p WHERE p.payment_id = j.key AND p.status = 'captured'))
         )::int AS deadlines,
         (SELECT count(*) FROM sagas WHERE waiting IS NOT NULL)::int AS reactions,
         (SELECT count(*) FROM webhooks_received WHERE handled_at IS NULL)::int AS webhooks`;

export interface OpenWork {
  readonly sagas: number;
  readonly calls: number;
  /** Provider requests whose result an operator must resolve. */
  readonly stuck: number;
  readonly deadlines: number;
  /** Sagas whose reaction failed and waits for a retry. */
  readonly reactions: number;
  readonly webhooks: number;
}

export const openWork = async (pool: Pick<pg.PoolClient, 'query'>): Promise<OpenWork> => {
  const { rows } = await pool.query<OpenWork>(OPEN);
  return rows[0] ?? { sagas: 0, calls: 0, stuck: 0, deadlines: 0, reactions: 0, webhooks: 0 };
};

const RETRY_NOW = 'UPDATE sagas SET retry_at = clock_timestamp() WHERE waiting IS NOT NULL';
/**
 * The time limit for the retries. It is longer than the backoff after a failed retry, and longer
 * than the 30 seconds until the claim of a killed worker expires.
 */
const RETRIED_WITHIN_MS = 90_000;

/**
 * Retries failed reactions, as an operator does after the cause was fixed, and waits until they
 * succeed. Must be called before business time is accelerated, because retries take real time.
 */
const retryReactions = async (pool: pg.Pool): Promise<void> => {
  await pool.query(RETRY_NOW);
  const untilMs = Date.now() + RETRIED_WITHIN_MS;
  while ((await openWork(pool)).reactions > 0 && Date.now() < untilMs) await sleep(200);
};

/** Whether all work has ended, except work that an operator must resolve. */
const isNothing = ({ stuck: _stuck, ...open }: OpenWork): boolean =>
  Object.values(open).every((count) => count === 0);

/**
 * Registers every process as a follower of the sandbox's clock again. The clock removes each
 * follower that did not respond when the clock moved.
 */
export const followAll = async ({ sandbox, apis, workers }: Stack): Promise<void> => {
  const followers = new Set([...apis, ...workers]);
  for (const { internalUrl } of followers) await sandbox.follow(`${internalUrl}/clock`);
};

/**
 * Advances business time until all work has ended or no longer changes. First it accelerates the
 * clock; then it advances the clock by single days and waits for every process. Returns the work
 * that is still open.
 */
export const runToCompletion = async (
  stack: Stack,
  onTime: (now: string, open: OpenWork) => void,
): Promise<OpenWork> => {
  const { sandbox, databases } = stack;
  const pool = new pg.Pool({ connectionString: databases.orchestrator, max: 1 });
  try {
    await retryReactions(pool);
    const untilMs = Date.now() + FAST_AT_MOST_MS;
    await sandbox.setRate(FAST);
    while (Date.now() < untilMs && !isNothing(await openWork(pool))) await sleep(500);
    await sandbox.setRate(1);
    let before = await openWork(pool);
    let changedMs = Date.now();
    for (let day = 0; day < MAX_DAYS && Date.now() - changedMs < UNCHANGED_MS; day += 1) {
      await followAll(stack);
      // `advance` also waits until every api and worker is idle.
      await sandbox.advance(day === 0 ? 'PT1M' : 'P1D');
      const open = await openWork(pool);
      onTime(await sandbox.now(), open);
      if (isNothing(open)) return open;
      if (!isDeepStrictEqual(open, before)) changedMs = Date.now();
      before = open;
    }
    return await openWork(pool);
  } finally {
    await pool.end();
  }
};
