import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { assert } from '#kernel';
import type { Servers, Stack } from '../tools/stack/stack.js';
import { type DatabaseCosts, DatabaseCounter, withoutIdle } from './database-costs.js';
import {
  type Floor,
  FLOOR_COMMITS,
  FLOOR_EVENTS,
  FLOOR_WEBHOOKS,
  type FloorCounts,
  startFloor,
} from './floor/floor.js';
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
import { Laps, PAYERS, type StepName, STEPS } from './payer.js';
import { type CpuByName, cpuByName, residentMb, sumOf, usedBetween } from './process-costs.js';
import { median, percentile, perSecond } from './rounds.js';
import { payOrder } from './stack-orders.js';
import { writeTransactions } from './write-transactions.js';

const FLOOR_WARM_UP_MS = 10_000;
const COUNTED_MS = 10_000;
/** After load, V8 collects garbage for some seconds; the time without orders is measured after it. */
const SETTLE_MS = 20_000;
const IDLE_MS = 8_000;
const ALONE_MS = 6_000;
const PACED_MS = 10_000;
const PACED_PER_SECOND = 20;

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}
export type Latencies = Readonly<Record<StepName, Latency>>;

/** The costs of one order, and of one second in which no order runs. */
export interface OrderCosts {
  /**
   * The work of the orchestrator's database for one order, minus the work that it does in the same
   * time without orders.
   */
  readonly database: DatabaseCosts;
  /** The work of the orchestrator's database in one second without orders. */
  readonly idle: DatabaseCosts;
  /** CPU milliseconds that all processes use in one second without orders. */
  readonly idleMsPerSecond: number;
  readonly idleCpu: CpuByName;
  /** The number of requests to the provider for one order. */
  readonly exchangesPerOrder: number;
}

export interface WholeOrders {
  /**
   * Our orders per second divided by those of the reference programs; each is the median of the
   * rounds.
   */
  readonly F: number;
  readonly ours: readonly Round[];
  readonly floor: readonly Round[];
  /**
   * The durations of an order's steps under three loads: one payer, 20 orders per second, and 16
   * payers.
   */
  readonly latencies: {
    readonly alone: Latencies;
    readonly paced: Latencies;
    readonly saturated: Latencies;
  };
  /** The counted costs; null in a quick run, which counts none. */
  readonly costs: OrderCosts | null;
  /** Resident memory after the load, in MB. */
  readonly residentMb: Readonly<Record<string, number>>;
}

const latenciesOf = (laps: Laps): Latencies =>
  Object.fromEntries(
    STEPS.map((step) => {
      const durations = laps.of(step);
      return [step, { p50Ms: percentile(durations, 0.5), p99Ms: percentile(durations, 0.99) }];
    }),
  ) as unknown as Latencies;

/** Calls `once` at a fixed rate, even if earlier calls have not ended. */
const paced = async (forMs: number, once: () => Promise<void>): Promise<void> => {
  const running: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let n = 0; n < (forMs / 1_000) * PACED_PER_SECOND; n += 1) {
    await sleep(Math.max(0, startedMs + (n * 1_000) / PACED_PER_SECOND - performance.now()));
    running.push(once());
  }
  await Promise.all(running);
};

/**
 * Asserts that the reference programs have written and received everything that their orders
 * require. Otherwise they did less work than the product, and the comparison would be wrong.
 */
const checkFloor = async (floor: Floor, before: FloorCounts, commits: number): Promise<void> => {
  let after = await floor.counts();
  const made = (name: keyof FloorCounts): number => after[name] - before[name];
  for (let tries = 0; tries < 50 && made('consumed') < FLOOR_EVENTS * made('paid'); tries += 1) {
    await sleep(100);
    after = await floor.counts();
  }
  const orders = made('paid');
  const each = {
    events: made('events') / orders,
    consumed: made('consumed') / orders,
    webhooks: made('webhooks') / orders,
    commits: commits / orders,
  };
  const isClaimed =
    each.events === FLOOR_EVENTS &&
    // Messages may be repeated, as Kafka allows, but none may be missing.
    each.consumed >= FLOOR_EVENTS &&
    each.consumed < FLOOR_EVENTS * 1.02 &&
    each.webhooks === FLOOR_WEBHOOKS &&
    Math.abs(each.commits - FLOOR_COMMITS) < 0.1;
  assert(
    isClaimed,
    `the measured work per order is not that of the floor: ${JSON.stringify(each)}`,
  );
};

const floorRounds = async (floor: Floor, pool: Pool, rounds: number): Promise<readonly Round[]> => {
  const before = await floor.counts();
  const commitsBefore = await writeTransactions(pool);
  await perSecond(PAYERS, FLOOR_WARM_UP_MS, floor.once);
  const made: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const webhooks = async (): Promise<number> => (await floor.counts()).webhooks;
    made.push(await runRound(pool, floor.pids, webhooks, floor.once));
  }
  await sleep(1_000);
  // The product is idle now, but its few transactions per second are counted too, because it uses
  // the same server as the reference programs.
  const commits = Number((await writeTransactions(pool)) - commitsBefore);
  await checkFloor(floor, before, commits);
  return made;
};

/**
 * Measures the work of the database for an order and for a second without orders, and the number of
 * requests to the provider for an order.
 */
const orderCosts = async (
  stack: Stack,
  pool: Pool,
  once: () => Promise<void>,
): Promise<OrderCosts> => {
  const counter = await DatabaseCounter.open(stack.databases.orchestrator);
  await comeToRest(pool);
  await sleep(SETTLE_MS);
  const cpuBefore = await cpuByName(pidsOf(stack), pool);
  const idle = await counter.during(() => sleep(IDLE_MS));
  const idleUsed = usedBetween(cpuBefore, await cpuByName(pidsOf(stack), pool));
  const exchanges = () => count(pool, 'SELECT count(*) FROM api_requests');
  const exchangesBefore = await exchanges();
  let orders = 0;
  const startedMs = performance.now();
  const busy = await counter.during(async () => {
    await perSecond(PAYERS, COUNTED_MS, async () => {
      await once();
      orders += 1;
    });
    await comeToRest(pool);
  });
  const tookMs = performance.now() - startedMs;
  const exchangesPerOrder = ((await exchanges()) - exchangesBefore) / orders;
  await counter.close();
  const { payers: _payers, ...idleCpu } = idleUsed;
  const perIdleSecond = Object.fromEntries(
    Object.entries(idleCpu).map(([name, seconds]) => [name, (seconds * 1_000) / (IDLE_MS / 1_000)]),
  );
  return {
    database: withoutIdle(busy, idle, tookMs / IDLE_MS, orders),
    idle: withoutIdle(idle, idle, 0, IDLE_MS / 1_000),
    idleMsPerSecond: sumOf(perIdleSecond),
    idleCpu: perIdleSecond,
    exchangesPerOrder,
  };
};

/**
 * Bench F: runs whole orders with their webhooks through api, worker and sandbox, in turn with the
 * reference programs (the "floor"). `quick`: runs one block of rounds of each, and does not count
 * the database's work.
 */
export const benchWholeOrders = async (
  servers: Servers,
  stack: Stack,
  quick: boolean,
): Promise<WholeOrders> => {
  const pool = new Pool({ connectionString: stack.databases.orchestrator, max: 2 });
  const floor = await startFloor(servers);
  const [blocks, rounds] = quick ? [1, 3] : [2, 3];
  const [ours, floors]: [Round[], Round[]] = [[], []];
  const saturated = new Laps();
  const once = (laps: Laps) => () => payOrder(stack, laps);
  let memory: Readonly<Record<string, number>> = {};
  for (let block = 0; block < blocks; block += 1) {
    floors.push(...(await floorRounds(floor, pool, rounds)));
    await perSecond(PAYERS, WARM_UP_MS, once(new Laps()));
    const round = () => runRound(pool, pidsOf(stack), webhooksOf(pool), once(saturated));
    ours.push(...(await roundsWithWebhooks(rounds, round)));
    memory = Object.fromEntries(
      stack.apps.map(({ app, pid }) => [app, pid === undefined ? 0 : residentMb(pid)]),
    );
    await comeToRest(pool);
  }
  await floor.stop();
  const [alone, steady] = [new Laps(), new Laps()];
  await perSecond(1, ALONE_MS, once(alone));
  await paced(PACED_MS, once(steady));
  const costs = quick ? null : await orderCosts(stack, pool, once(new Laps()));
  await pool.end();
  return {
    F: median(ours.map((one) => one.perSecond)) / median(floors.map((one) => one.perSecond)),
    ours,
    floor: floors,
    latencies: {
      alone: latenciesOf(alone),
      paced: latenciesOf(steady),
      saturated: latenciesOf(saturated),
    },
    costs,
    residentMb: memory,
  };
};
