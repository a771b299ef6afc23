import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { assert } from '#kernel';
import type { Stack } from '../tools/stack/stack.js';
import { PAYERS } from './payer.js';
import { type CpuByName, cpuByName, machineSeconds, sumOf, usedBetween } from './process-costs.js';
import { perSecond } from './rounds.js';

/**
 * How long orders run before the first round. This is longer than the delay of the provider's
 * webhooks, so that each round also handles the webhooks of earlier orders.
 */
export const WARM_UP_MS = 45_000;
/**
 * The minimum number of handled webhooks per order. The sandbox sends five. A round with fewer is
 * not counted: it did less work than its orders require, so its rate would be too high.
 */
const MIN_WEBHOOKS = 4.5;
const ROUND_MS = 5_000;
const QUIET_MS = 3_000;
const WEBHOOKS_AFTER_MS = 16_000;
const QUIET_WITHIN_MS = 180_000;

/** The result of one round of the product, or of the reference programs (the "floor"). */
export interface Round {
  readonly perSecond: number;
  readonly cpuMsPerOrder: CpuByName;
  readonly webhooksPerOrder: number;
  /**
   * The share of the machine's used CPU time that the processes in `cpuMsPerOrder` used; other
   * programs used the rest.
   */
  readonly accountedShare: number;
}

export const count = async (pool: Pool, sql: string): Promise<number> =>
  (await pool.query<{ n: number }>(`SELECT (${sql})::int AS n`)).rows[0]?.n ?? 0;

export const webhooksOf = (pool: Pool) => (): Promise<number> =>
  count(pool, 'SELECT count(*) FROM webhooks_received');

/** Runs one round of the product, or of the reference programs, with all payers. */
export const runRound = async (
  pool: Pool,
  pids: Readonly<Record<string, number | undefined>>,
  webhooks: () => Promise<number>,
  once: () => Promise<void>,
): Promise<Round> => {
  let orders = 0;
  // Webhooks are counted first, because counting them in a large database costs CPU time.
  const webhooksBefore = await webhooks();
  const [before, machineBefore] = [await cpuByName(pids, pool), machineSeconds()];
  const rate = await perSecond(PAYERS, ROUND_MS, async () => {
    await once();
    orders += 1;
  });
  const machine = machineSeconds() - machineBefore;
  const used = usedBetween(before, await cpuByName(pids, pool));
  assert(orders > 0, 'a round completes orders');
  return {
    perSecond: rate,
    cpuMsPerOrder: Object.fromEntries(
      Object.entries(used).map(([name, seconds]) => [name, (seconds * 1_000) / orders]),
    ),
    webhooksPerOrder: ((await webhooks()) - webhooksBefore) / orders,
    accountedShare: sumOf(used) / machine,
  };
};

/** Waits until all webhooks have arrived and are handled. */
export const comeToRest = async (pool: Pool): Promise<void> => {
  await sleep(WEBHOOKS_AFTER_MS);
  const deadlineMs = Date.now() + QUIET_WITHIN_MS;
  for (let before = -1; Date.now() < deadlineMs;) {
    const [all, open] = [
      await webhooksOf(pool)(),
      await count(pool, 'SELECT count(*) FROM webhooks_received WHERE handled_at IS NULL'),
    ];
    if (all === before && open === 0) return;
    before = all;
    await sleep(QUIET_MS);
  }
  throw new Error('webhooks still arrive, or are not handled, after the time limit');
};

/**
 * Runs rounds until `wanted` of them have handled enough webhooks. Webhooks arrive with a delay, so
 * a round handles those of earlier orders. If more orders run in a round than before it, the round
 * handles too few webhooks for its orders, and is not counted.
 */
export const roundsWithWebhooks = async (
  wanted: number,
  round: () => Promise<Round>,
): Promise<readonly Round[]> => {
  const counted: Round[] = [];
  for (let tries = 0; counted.length < wanted; tries += 1) {
    assert(tries < 3 * wanted, `a third of the rounds handle ${MIN_WEBHOOKS} webhooks an order`);
    const one = await round();
    if (one.webhooksPerOrder >= MIN_WEBHOOKS) counted.push(one);
  }
  return counted;
};

export const pidsOf = (stack: Stack): Readonly<Record<string, number | undefined>> =>
  Object.fromEntries(stack.apps.map(({ app, pid }) => [app, pid]));
