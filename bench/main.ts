import { writeFileSync } from 'node:fs';
import { freshDatabase } from '../tools/stack/databases.js';
import { type Servers, type Shape, startStack } from '../tools/stack/stack.js';
import { benchAppends } from './appends.js';
import { countOf, type DatabaseCosts } from './database-costs.js';
import { benchPostOrder } from './post-order.js';
import { benchRelay } from './relay.js';
import type { Comparison } from './rounds.js';
import { benchSandbox, type SandboxPart } from './sandbox-parts.js';
import { benchWholeOrders, type WholeOrders } from './whole-orders.js';

type Name = 'R1' | 'R2' | 'R3' | 'R4' | SandboxPart;

const SANDBOX_PARTS = ['S1', 'S2', 'S3'] as const satisfies readonly SandboxPart[];

export interface BenchOptions extends Servers {
  readonly say: (text: string) => void;
  readonly json: string | null;
  readonly only: readonly Name[];
  /** Whether api and worker run as one process or apart in R2. */
  readonly shape: Shape;
}

/** The rate limit is lifted, because the single platform of the bench would reach it. */
const UNLIMITED = { API_REQUESTS_PER_SECOND: '1000000' };

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
    `     database ${of}: statements ${figure(countOf(costs))}, commits ${figure(costs.commits)}; ` +
      `with the sandbox's: fsyncs ${figure(costs.walFsyncs)}`,
  );
  const sent = [...(costs.statements ?? [])]
    .filter(([, count]) => count >= SHOWN_FROM)
    .toSorted(([, a], [, b]) => b - a);
  for (const [text, count] of sent.slice(0, MOST_SENT)) {
    const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_LENGTH);
    say(`     ${count.toFixed(1).padStart(8)}  ${line}`);
  }
};

const sayWholeOrders = (options: BenchOptions, result: WholeOrders): void => {
  const { say, shape } = options;
  say(
    `${`R2 whole orders, 16 payers, shape ${shape}`.padEnd(44)} ${ratio(result.ratio)} (goal ≥ 0.3)   ` +
      `${result.ordersPerSecond.toFixed(1)} orders/s × ${result.commitsPerOrder.toFixed(1)} ` +
      `commits, against ${whole(result.rawCommitsPerSecond)} raw commits/s; ` +
      `${result.webhooksPerOrder.toFixed(1)} webhooks an order`,
  );
  for (const [step, { p50Ms, p99Ms }] of Object.entries(result.steps)) {
    say(`     ${step.padEnd(14)} p50 ${ms(p50Ms).padStart(9)}   p99 ${ms(p99Ms).padStart(9)}`);
  }
  const cpu = Object.entries(result.cpuPerOrder).map(
    ([name, seconds]) => `${name} ${ms(seconds * 1_000)}`,
  );
  say(`     CPU an order: ${cpu.join(', ')}`);
  sayCosts(options, 'an order', result.database);
  sayCosts(options, 'a second without orders', result.idle);
};

/** Runs the chosen comparisons one after another and prints each when it is done. */
export const runBench = async (options: BenchOptions): Promise<void> => {
  const { databaseUrl, brokers, say, json, only } = options;
  const results: Record<string, unknown> = {};
  say('\nMedians of five rounds, both sides in turn, on this machine and in this run\n');
  if (only.includes('R1')) {
    const url = await freshDatabase(databaseUrl, 'orchestrator');
    const [many, one] = [await benchAppends(url, 16), await benchAppends(url, 1)];
    sayComparison(options, 'R1 appends over raw commits, 16 callers', 2, many);
    sayComparison(options, 'R1 appends over raw commits, 1 caller', 0.6, one);
    results['R1'] = { callers16: many.ratio, callers1: one.ratio };
  }
  if (only.includes('R3')) {
    const url = await freshDatabase(databaseUrl, 'orchestrator');
    const relay = await benchRelay(url, brokers);
    sayComparison(options, 'R3 relay to the ack over bare batches', 0.5, relay);
    results['R3'] = relay.ratio;
  }
  if (only.includes('R4')) {
    // No worker runs, because it would process the orders' payments on the same two cores during
    // the measurement.
    const alone = { shape: 'apart', workers: 0 } as const;
    const stack = await startStack({ ...options, ...alone, name: 'bench', env: UNLIMITED });
    const { ratio: r4, ours, bare } = await benchPostOrder(options, stack);
    await stack.stop();
    say(
      `${'R4 POST /v1/orders over a bare route, p50'.padEnd(44)} ${ratio(r4)} (goal ≤ 2)   ` +
        `p50 ${ms(ours.p50Ms)}, p99 ${ms(ours.p99Ms)} against ${ms(bare.p50Ms)}, ${ms(bare.p99Ms)}`,
    );
    results['R4'] = r4;
  }
  if (only.includes('R2')) {
    const stack = await startStack({ ...options, name: 'bench', env: UNLIMITED });
    const orders = await benchWholeOrders(stack);
    await stack.stop();
    sayWholeOrders(options, orders);
    const { commits, walFsyncs } = orders.database;
    results['R2'] = {
      shape: options.shape,
      ratio: orders.ratio,
      ordersPerSecond: orders.ordersPerSecond,
      statements: countOf(orders.database),
      commits,
      walFsyncs,
    };
  }
  for (const part of SANDBOX_PARTS) {
    if (only.includes(part)) results[part] = await benchSandbox(part, options, say);
  }
  if (json !== null) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
};
