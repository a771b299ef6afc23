import { Pool } from 'pg';
import type { Servers, Stack } from '../tools/stack/stack.js';
import { startStack } from '../tools/stack/stack.js';
import {
  comeToRest,
  pidsOf,
  roundsWithWebhooks,
  runRound,
  WARM_UP_MS,
  webhooksOf,
} from './order-rounds.js';
import { Laps, PAYERS } from './payer.js';
import { type Comparison, median, perSecond } from './rounds.js';
import { payOrder } from './stack-orders.js';

const BLOCKS = 2;
const ROUNDS = 3;

/** The rates of some rounds of whole orders, after a warm-up. */
const ratesOf = async (stack: Stack): Promise<readonly number[]> => {
  const pool = new Pool({ connectionString: stack.databases.orchestrator, max: 2 });
  const once = () => payOrder(stack, new Laps());
  await perSecond(PAYERS, WARM_UP_MS, once);
  const round = () => runRound(pool, pidsOf(stack), webhooksOf(pool), once);
  const rounds = await roundsWithWebhooks(ROUNDS, round);
  await comeToRest(pool);
  await pool.end();
  return rounds.map((one) => one.perSecond);
};

/**
 * Compares whole orders with an api and two workers to those with an api and one worker. Two workers
 * must share the work without waiting for each other or doing it twice.
 */
export const benchTwoWorkers = async (
  servers: Servers,
  env: Readonly<Record<string, string>>,
): Promise<Comparison> => {
  const start = (workers: number): Promise<Stack> =>
    startStack({ ...servers, name: `workers${workers}`, shape: 'apart', workers, env });
  const [one, two] = [await start(1), await start(2)];
  const rates = { one: [] as number[], two: [] as number[] };
  for (let block = 0; block < BLOCKS; block += 1) {
    rates.one.push(...(await ratesOf(one)));
    rates.two.push(...(await ratesOf(two)));
  }
  await one.stop();
  await two.stop();
  const [ours, yardstick] = [median(rates.two), median(rates.one)];
  return { ratio: ours / yardstick, ours, yardstick, rounds: rates.two };
};
