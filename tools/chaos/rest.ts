import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Stack } from '../stack/stack.js';

/** The speed of business time at the end, as a multiple of real time: a day in a second. */
const FAST = 86_400;
const FAST_AT_MOST_MS = 10_000;
const MAX_DAYS = 20;

/** Selects deadlines. The recurring jobs of an account never end, so they are not counted. */
const IS_DEADLINE = `j.subject_id IS NULL AND j.kind NOT LIKE 'account.%' AND j.kind NOT LIKE 'payout.%'`;

/**
 * Counts the open work. The polling of a captured payment for a further year, in case its payer
 * disputes it, is not counted.
 */
const OPEN = `
  SELECT (SELECT count(*) FROM sagas WHERE NOT done)::int AS sagas,
         (SELECT count(*) FROM jobs WHERE subject_id IS NOT NULL AND state <> 'done')::int AS calls,
         (SELECT count(*) FROM jobs j
           WHERE ${IS_DEADLINE} AND NOT (j.kind = 'payment.read' AND EXISTS (
             SELECT FROM payment_list p WHERE p.payment_id = j.key AND p.status = 'captured'))
         )::int AS deadlines,
         (SELECT count(*) FROM sagas WHERE waiting IS NOT NULL)::int AS reactions,
         (SELECT count(*) FROM webhooks_received WHERE handled_at IS NULL)::int AS webhooks`;

export interface OpenWork {
  readonly sagas: number;
  readonly calls: number;
  readonly deadlines: number;
  /** Sagas whose reaction failed and waits for a retry. */
  readonly reactions: number;
  readonly webhooks: number;
}

const openWork = async (pool: pg.Pool): Promise<OpenWork> => {
  const { rows } = await pool.query<OpenWork>(OPEN);
  return rows[0] ?? { sagas: 0, calls: 0, deadlines: 0, reactions: 0, webhooks: 0 };
};

const RETRY_NOW = 'UPDATE sagas SET retry_at = clock_timestamp() WHERE waiting IS NOT NULL';
/**
 * Longer than the backoff of a failed retry and than the half minute until a lost claim expires.
 */
const RETRIED_WITHIN_MS = 90_000;

/**
 * Retries failed reactions once, as an operator does when the cause is fixed, and waits until they
 * have succeeded, before time is accelerated to a day per second.
 */
const retryReactions = async (pool: pg.Pool): Promise<void> => {
  await pool.query(RETRY_NOW);
  const untilMs = Date.now() + RETRIED_WITHIN_MS;
  while ((await openWork(pool)).reactions > 0 && Date.now() < untilMs) await sleep(200);
};

const isNothing = (open: OpenWork): boolean => Object.values(open).every((count) => count === 0);

/**
 * The clock drops followers that were dead when it moved, so all followers are registered again.
 */
const followAll = async ({ sandbox, apis, workers }: Stack): Promise<void> => {
  const followers = new Set([...apis, ...workers]);
  for (const { internalUrl } of followers) await sandbox.follow(`${internalUrl}/clock`);
};

/**
 * Advances the time until all work is done: first quickly, then day by day with a wait for every
 * process. Returns the open work.
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
    for (let day = 0; day < MAX_DAYS; day += 1) {
      await followAll(stack);
      // `advance` resolves when every follower of the clock is idle.
      await sandbox.advance(day === 0 ? 'PT1M' : 'P1D');
      const open = await openWork(pool);
      onTime(await sandbox.now(), open);
      if (isNothing(open)) return open;
    }
    return await openWork(pool);
  } finally {
    await pool.end();
  }
};
