import { Pool } from 'pg';
import { assert, parseInstant } from '#kernel';
import { waitFor } from '#testing';
import { type Servers, type Stack, startStack } from '../tools/stack/stack.js';
import { DatabaseCounter, type RelationWal } from './database-costs.js';
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
  /** The minimum number of events in the grown database. */
  readonly events: number;
  readonly say: (text: string) => void;
}

/**
 * The goals. `cpu`: the maximum CPU time of an order in the grown database, divided by that in a
 * new database. `bytesPerOrder`: the maximum number of bytes that are stored permanently for an
 * order.
 */
const GOALS = { cpu: 1.05, bytesPerOrder: 6 * 1_024 } as const;

const ROUNDS = 6;

interface Measured {
  readonly rounds: readonly Round[];
  /** Figures for one order that do not depend on other programs of the machine. */
  readonly work: Readonly<Record<'blocks' | 'blocksRead' | 'walBytes', number>>;
  readonly wal: readonly RelationWal[];
}

/** The processes whose CPU time may depend on the size of the database. */
const PARTS = ['all', 'postgres'] as const;

const cpuOf = (rounds: readonly Round[], part: string): number =>
  median(rounds.map((round) => round.cpuMsPerOrder[part] ?? 0));

/** Measures whole orders, from the first to the last webhook. */
const measure = async (stack: Stack, pool: Pool, counter: DatabaseCounter): Promise<Measured> => {
  let orders = 0;
  const once = async (): Promise<void> => {
    await payOrder(stack, new Laps());
    orders += 1;
  };
  const round = () => runRound(pool, pidsOf(stack), webhooksOf(pool), once);
  let rounds: readonly Round[] = [];
  const { costs, wal } = await counter.withRelations(async () => {
    await perSecond(PAYERS, WARM_UP_MS, once);
    rounds = await roundsWithWebhooks(ROUNDS, round);
    await comeToRest(pool);
  });
  return {
    rounds,
    wal: wal.map(({ relation, bytes }) => ({ relation, bytes: bytes / orders })),
    work: {
      blocks: costs.blocks / orders,
      blocksRead: costs.blocksRead / orders,
      walBytes: costs.walBytes / orders,
    },
  };
};

const sayComparison = (say: (text: string) => void, before: Measured, after: Measured): void => {
  const line = (what: string, one: number, other: number, digits: number): void =>
    say(
      `  ${`${what} per order`.padEnd(34)} ${one.toFixed(digits)} → ${other.toFixed(digits)} ` +
        `(${(other / one).toFixed(2)})`,
    );
  line('blocks', before.work.blocks, after.work.blocks, 0);
  line('blocks read', before.work.blocksRead, after.work.blocksRead, 1);
  line('bytes of WAL', before.work.walBytes, after.work.walBytes, 0);
  for (const { relation, bytes } of after.wal) {
    const one = before.wal.find((other) => other.relation === relation)?.bytes ?? 0;
    line(`  of ${relation}`, one, bytes, 0);
  }
  for (const part of Object.keys(before.rounds[0]?.cpuMsPerOrder ?? {})) {
    line(`ms of CPU of ${part}`, cpuOf(before.rounds, part), cpuOf(after.rounds, part), 2);
  }
};

/** The maximum number of days until all orders are paid out, even if they include a weekend. */
const MAX_PAYOUT_DAYS = 10;
const PATIENCE = { timeoutMs: 600_000, everyMs: 1_000 };

const OPEN_ORDERS = `
  SELECT (SELECT count(*) FROM order_list)
       - (SELECT count(*) FROM payout_lines l JOIN payout_list p USING (payout_id)
           WHERE l.kind = 'payment' AND l.payment_id IS NOT NULL
             AND p.status = 'paid' AND p.matched IS NOT NULL)`;

/**
 * Advances business time until every order is captured, paid out and reconciled. Only then does the
 * database contain all rows that an order causes.
 */
const payOut = async ({ sandbox }: Stack, pool: Pool): Promise<void> => {
  for (let day = 0; (await count(pool, OPEN_ORDERS)) > 0; day += 1) {
    assert(day < MAX_PAYOUT_DAYS, `all orders are paid out within ${MAX_PAYOUT_DAYS} days`);
    await sandbox.advance('P1D');
  }
};

/** Waits until no job is due, so that the next measurement contains no work of the copied orders. */
const untilNoneIsDue = async ({ sandbox }: Stack, pool: Pool): Promise<void> => {
  await waitFor(async () => {
    const now = parseInstant(await sandbox.now());
    const due = `SELECT count(*) FROM jobs WHERE state IN ('ready', 'running', 'stuck')
                     OR (state = 'waiting' AND (held_until IS NOT NULL OR due_at <= '${now}'))`;
    return (await count(pool, due)) === 0 ? true : null;
  }, PATIENCE);
};

/**
 * Measures whole orders on a new database, lets them be paid out, copies their rows until the log has
 * `events` events of two years, and measures again. Returns whether the goals were met.
 */
export const benchGrowth = async ({ events, say, ...servers }: GrowthOptions): Promise<boolean> => {
  const env = { API_REQUESTS_PER_SECOND: '1000000' };
  const stack = await startStack({ ...servers, name: 'growth', env });
  const pool = new Pool({ connectionString: stack.databases.orchestrator, max: 2 });
  const counter = await DatabaseCounter.open(stack.databases.orchestrator);
  const before = await measure(stack, pool, counter);
  await payOut(stack, pool);
  await untilNoneIsDue(stack, pool);
  const sample = await count(pool, 'SELECT count(*) FROM events');
  const replicas = Math.ceil(events / sample);
  assert(replicas <= MOST_REPLICAS, `${sample} events cannot become ${events}`);
  const beganMs = performance.now();
  await addReplicas(pool, replicas);
  const loadedMs = performance.now() - beganMs;
  await untilNoneIsDue(stack, pool);
  const [orders, bytes] = [
    await count(pool, 'SELECT count(*) FROM order_list'),
    await bytesKept(pool),
  ];
  const size = `${(sample * (replicas + 1)).toLocaleString('en')} events`;
  say(
    `${size} of ${orders.toLocaleString('en')} orders, loaded in ${Math.round(loadedMs / 1_000)} s`,
  );
  const after = await measure(stack, pool, counter);
  await counter.close();
  await pool.end();
  await stack.stop();

  sayComparison(say, before, after);
  const sum = ({ rounds }: Measured): number =>
    PARTS.reduce((total, part) => total + cpuOf(rounds, part), 0);
  const ratio = sum(after) / sum(before);
  say(
    `CPU per order with ${size} / with a new database, ${PARTS.join(' and ')}: ` +
      `${ratio.toFixed(2)} (goal ≤ ${GOALS.cpu})`,
  );
  const perOrder = Object.values(bytes).reduce((one, other) => one + other, 0) / orders;
  say(`Bytes kept per order: ${Math.round(perOrder)} (goal ≤ ${GOALS.bytesPerOrder})`);
  for (const [table, total] of Object.entries(bytes).toSorted(([, a], [, b]) => b - a)) {
    say(`  ${table.padEnd(18)} ${Math.round(total / orders)}`);
  }
  return ratio <= GOALS.cpu && perOrder <= GOALS.bytesPerOrder;
};
