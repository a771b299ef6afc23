import { Pool } from 'pg';
import { assert } from '#kernel';
import { type Servers, startStack } from '../tools/stack/stack.js';
import {
  comeToRest,
  count,
  pidsOf,
  type Round,
  roundsWithWebhooks,
  runRound,
  WARM_UP_MS,
  webhooksOf,
} from './order-rounds.js';
import { Laps, PAYERS } from './payer.js';
import { addReplicas, bytesKept, MOST_REPLICAS } from './replicas.js';
import { median, perSecond } from './rounds.js';
import { payOrder } from './stack-orders.js';

export interface GrowthOptions extends Servers {
  /** The number of events that the grown database has at least. */
  readonly events: number;
  readonly say: (text: string) => void;
}

/** The goals: CPU an order in the grown database by that in the new one, and kept bytes an order. */
const GOALS = { cpu: 1.05, bytesPerOrder: 6 * 1_024 } as const;

const ROUNDS = 6;
/** The parts of the CPU time that a larger database can change. */
const PARTS = ['all', 'postgres'] as const;

const cpuOf = (rounds: readonly Round[], part: string): number =>
  median(rounds.map((round) => round.cpuMsPerOrder[part] ?? 0));

/**
 * Measures whole orders on a new database, copies their rows until the log has `events` events of
 * two years, and measures again. Returns whether the goals were met.
 */
export const benchGrowth = async ({ events, say, ...servers }: GrowthOptions): Promise<boolean> => {
  const env = { API_REQUESTS_PER_SECOND: '1000000' };
  const stack = await startStack({ ...servers, name: 'growth', env });
  const pool = new Pool({ connectionString: stack.databases.orchestrator, max: 2 });
  const once = (): Promise<void> => payOrder(stack, new Laps());
  const round = () => runRound(pool, pidsOf(stack), webhooksOf(pool), once);
  const measure = async (): Promise<readonly Round[]> => {
    await perSecond(PAYERS, WARM_UP_MS, once);
    const rounds = await roundsWithWebhooks(ROUNDS, round);
    await comeToRest(pool);
    return rounds;
  };
  const counts = async () => ({
    orders: await count(pool, 'SELECT count(*) FROM order_list'),
    events: await count(pool, 'SELECT count(*) FROM events'),
  });
  const before = await measure();
  const sample = await counts();
  const replicas = Math.ceil(events / sample.events);
  assert(replicas <= MOST_REPLICAS, `${sample.orders} orders cannot become ${events} events`);
  const loadedMs = performance.now();
  await addReplicas(pool, replicas);
  const grown = await counts();
  const bytes = await bytesKept(pool);
  const seconds = Math.round((performance.now() - loadedMs) / 1_000);
  say(
    `${grown.events.toLocaleString('en')} events of ${grown.orders.toLocaleString('en')} orders, ` +
      `loaded in ${seconds} s`,
  );
  const after = await measure();
  await pool.end();
  await stack.stop();

  for (const part of ['all', 'postgres', 'sharedPostgres', 'sandbox', 'sandboxPostgres', 'kafka']) {
    const [one, other] = [cpuOf(before, part), cpuOf(after, part)];
    say(
      `  CPU per order, ${part.padEnd(16)} ${one.toFixed(2)} ms → ${other.toFixed(2)} ms ` +
        `(${(other / one).toFixed(2)})`,
    );
  }
  const sum = (rounds: readonly Round[]): number =>
    PARTS.reduce((total, part) => total + cpuOf(rounds, part), 0);
  const ratio = sum(after) / sum(before);
  say(
    `CPU per order with ${grown.events.toLocaleString('en')} events / with a new database, ` +
      `${PARTS.join(' and ')}: ${ratio.toFixed(2)} (goal ≤ ${GOALS.cpu})`,
  );
  const total = Object.values(bytes).reduce((one, other) => one + other, 0);
  const perOrder = total / grown.orders;
  say(`Bytes kept per order: ${Math.round(perOrder)} (goal ≤ ${GOALS.bytesPerOrder})`);
  for (const [table, size] of Object.entries(bytes).toSorted(([, a], [, b]) => b - a)) {
    say(`  ${table.padEnd(18)} ${Math.round(size / grown.orders)}`);
  }
  return ratio <= GOALS.cpu && perOrder <= GOALS.bytesPerOrder;
};
