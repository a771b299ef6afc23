import { writeFileSync } from 'node:fs';
import { freshDatabase } from '../tools/stack/databases.js';
import { type Servers, type Shape, startStack } from '../tools/stack/stack.js';
import { benchAppends } from './appends.js';
import { countOf, type DatabaseCosts } from './database-costs.js';
import { benchPostOrder } from './post-order.js';
import { benchRelay } from './relay.js';
import { type Comparison, median } from './rounds.js';
import { benchSandbox, type SandboxPart } from './sandbox-parts.js';
import { STEPS } from './payer.js';
import type { Round } from './order-rounds.js';
import { benchTwoWorkers } from './two-workers.js';
import { benchWholeOrders, type WholeOrders } from './whole-orders.js';

type Name = 'F' | 'R1' | 'R3' | 'R4' | 'W' | SandboxPart;

const SANDBOX_PARTS = ['S1', 'S2', 'S3'] as const satisfies readonly SandboxPart[];

export interface BenchOptions extends Servers {
  readonly say: (text: string) => void;
  readonly json: string | null;
  readonly only: readonly Name[];
  /** For bench F (whole orders): whether api and worker run as one process or as two. */
  readonly shape: Shape;
  /**
   * For bench F (whole orders): runs the product and the reference programs for one block of rounds
   * only, and does not count the database's work.
   */
  readonly quick: boolean;
}

/** Practically disables the rate limit, which the bench's single platform would reach. */
const UNLIMITED = { API_REQUESTS_PER_SECOND: '1000000' };

/**
 * The maximum CPU milliseconds of each process for one order, and of all processes in one second
 * without orders.
 */
const BUDGET_MS: Readonly<Record<string, number>> = {
  all: 5,
  postgres: 4,
  kafka: 1,
  sandbox: 4.5,
  sandboxPostgres: 5,
  payers: 1.8,
};
const GOALS = {
  F: 0.33,
  idleMsPerSecond: 30,
  aloneWholeMs: 60,
  residentMb: 200,
  R1: { 1: 0.75, 16: 1.4, 64: 2 },
  R3: 0.7,
  R4: 1.8,
  W: 0.95,
} as const;

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const ratio = (value: number): string => value.toFixed(2);
const ms = (value: number): string => `${value.toFixed(1)} ms`;

const sayComparison = (options: BenchOptions, name: string, goal: number, one: Comparison): void =>
  options.say(
    `${name.padEnd(44)} ${ratio(one.ratio)} (goal ≥ ${goal})   ` +
      `${whole(one.ours)}/s against ${whole(one.yardstick)}/s`,
  );

const MOST_SENT = 12;
const SHOWN_FROM = 0.05;
const TEXT_LENGTH = 90;

const sayCosts = ({ say }: BenchOptions, of: string, costs: DatabaseCosts): void => {
  const figure = (value: number | null): string => value?.toFixed(1) ?? 'not counted';
  say(
    `     database ${of}: statements ${figure(countOf(costs))}, commits ${figure(costs.commits)}, ` +
      `rows ${figure(costs.rows)}; with the sandbox's: fsyncs ${figure(costs.walFsyncs)}, ` +
      `WAL ${figure(costs.walBytes / 1_024)} KB`,
  );
  const sent = [...(costs.statements ?? [])]
    .filter(([, count]) => count >= SHOWN_FROM)
    .toSorted(([, a], [, b]) => b - a);
  for (const [text, count] of sent.slice(0, MOST_SENT)) {
    const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_LENGTH);
    say(`     ${count.toFixed(1).padStart(8)}  ${line}`);
  }
};

const range = (values: readonly number[]): string =>
  `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})`;

const rates = (rounds: readonly Round[]): readonly number[] => rounds.map((one) => one.perSecond);

/** The CPU milliseconds of each process for an order: the median over the rounds. */
const cpuOf = (rounds: readonly Round[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.keys(rounds[0]?.cpuMsPerOrder ?? {}).map((name) => [
      name,
      median(rounds.map((round) => round.cpuMsPerOrder[name] ?? 0)),
    ]),
  );

const sayRounds = ({ say }: BenchOptions, name: string, rounds: readonly Round[]): void => {
  const webhooks = median(rounds.map((round) => round.webhooksPerOrder));
  const accounted = Math.min(...rounds.map((round) => round.accountedShare));
  say(
    `     ${name.padEnd(10)} ${range(rates(rounds))} orders/s, ${webhooks.toFixed(1)} webhooks per order; ` +
      `at least ${Math.round(accounted * 100)} % of the machine's CPU is accounted for`,
  );
  const cpu = Object.entries(cpuOf(rounds)).filter(([, value]) => value >= SHOWN_FROM);
  const shown = cpu.map(([part, value]) => {
    const budget = BUDGET_MS[part];
    return `${part} ${ms(value)}${name === 'ours' && budget !== undefined ? ` (goal ≤ ${budget})` : ''}`;
  });
  say(`     CPU per order: ${shown.join(', ')}`);
};

const sayWholeOrders = (options: BenchOptions, result: WholeOrders): void => {
  const { say, shape } = options;
  say(
    `${`F whole orders / floor, shape ${shape}`.padEnd(44)} ${ratio(result.F)} (goal ≥ ${GOALS.F})`,
  );
  sayRounds(options, 'ours', result.ours);
  sayRounds(options, 'floor', result.floor);
  const { alone, paced, saturated } = result.latencies;
  say(
    `     p50 and p99 with one payer (whole: goal ≤ ${GOALS.aloneWholeMs} ms), at 20 orders/s, and with 16 payers`,
  );
  for (const step of STEPS) {
    const columns = [alone, paced, saturated].map((one) => {
      const { p50Ms, p99Ms } = one[step];
      return `${ms(p50Ms).padStart(9)} ${ms(p99Ms).padStart(9)}`;
    });
    say(`     ${step.padEnd(11)} ${columns.join('   ')}`);
  }
  const memory = Object.entries(result.residentMb).map(([app, mb]) => `${app} ${whole(mb)} MB`);
  say(`     memory under load (goal ≤ ${GOALS.residentMb} MB each): ${memory.join(', ')}`);
  if (result.costs === null) return;
  const { database, idle, exchangesPerOrder, idleMsPerSecond, idleCpu } = result.costs;
  say(`     requests to the provider per order: ${exchangesPerOrder.toFixed(1)}`);
  sayCosts(options, 'per order', database);
  sayCosts(options, 'per second without orders', idle);
  const parts = Object.entries(idleCpu).map(([part, value]) => `${part} ${ms(value)}`);
  say(
    `     CPU per second without orders: ${ms(idleMsPerSecond)} (goal ≤ ${GOALS.idleMsPerSecond}): ${parts.join(', ')}`,
  );
};

/** The result of the bench of whole orders, as it is written to the JSON file. */
const wholeOrdersJson = (result: WholeOrders): object => {
  const { all = 0, ...others } = cpuOf(result.ours);
  return {
    F: result.F,
    ordersPerSecond: median(rates(result.ours)),
    floorOrdersPerSecond: median(rates(result.floor)),
    // With `--shape one`, the process `all` is both api and worker. Its time is stored as that of
    // the api.
    cpuMsPerOrder: { ...others, api: others['api'] ?? all, worker: others['worker'] ?? 0 },
    idleMsPerSecond: result.costs?.idleMsPerSecond ?? null,
    residentMb: result.residentMb,
    wholeP50Ms: {
      alone: result.latencies.alone.whole.p50Ms,
      paced: result.latencies.paced.whole.p50Ms,
      saturated: result.latencies.saturated.whole.p50Ms,
    },
  };
};

/** Runs the chosen benches one after another, and prints the results of each when it has ended. */
export const runBench = async (options: BenchOptions): Promise<void> => {
  const { databaseUrl, brokers, say, json, only } = options;
  const results: Record<string, unknown> = {};
  say(
    '\nMedians of the rounds; a / b: the rate or time of our code divided by that of the reference\n',
  );
  if (only.includes('F')) {
    const stack = await startStack({ ...options, name: 'bench', env: UNLIMITED });
    const orders = await benchWholeOrders(options, stack, options.quick);
    await stack.stop();
    sayWholeOrders(options, orders);
    Object.assign(results, wholeOrdersJson(orders));
  }
  if (only.includes('R1')) {
    const url = await freshDatabase(databaseUrl, 'orchestrator');
    const ratios: Record<string, number> = {};
    for (const callers of [1, 16, 64] as const) {
      const one = await benchAppends(url, callers);
      const name = `R1 event store / plain inserts, ${callers} callers`;
      sayComparison(options, name, GOALS.R1[callers], one);
      ratios[`callers${callers}`] = one.ratio;
    }
    results['R1'] = ratios;
  }
  if (only.includes('R3')) {
    const url = await freshDatabase(databaseUrl, 'orchestrator');
    const relay = await benchRelay(url, brokers);
    sayComparison(options, 'R3 relay / client that only sends', GOALS.R3, relay);
    results['R3'] = relay.ratio;
  }
  if (only.includes('R4')) {
    // Starts no worker, because a worker would handle the orders' payments on the same two cores
    // during the measurement.
    const alone = { shape: 'apart', workers: 0 } as const;
    const stack = await startStack({ ...options, ...alone, name: 'bench', env: UNLIMITED });
    const { ratio: r4, ours, bare } = await benchPostOrder(options, stack);
    await stack.stop();
    say(
      `${'R4 POST /v1/orders / route without logic, p50'.padEnd(44)} ${ratio(r4)} (goal ≤ ${GOALS.R4})   ` +
        `p50 ${ms(ours.p50Ms)}, p99 ${ms(ours.p99Ms)} against ${ms(bare.p50Ms)}, ${ms(bare.p99Ms)}`,
    );
    results['R4'] = r4;
  }
  if (only.includes('W')) {
    const one = await benchTwoWorkers(options, UNLIMITED);
    sayComparison(options, 'W orders with two workers / with one', GOALS.W, one);
    results['W'] = one.ratio;
  }
  for (const part of SANDBOX_PARTS) {
    if (only.includes(part)) results[part] = await benchSandbox(part, options, say);
  }
  if (json !== null) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
};
