import { Pool } from 'pg';
import { assert } from '#kernel';
import { type Servers, type Stack, startStack } from '../tools/stack/stack.js';
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

/**
 * The work of the orchestrator's database that does not depend on what else the machine does: the
 * blocks it has used, found in memory or read, and the WAL of the whole server.
 */
const WORK = `
  SELECT (blks_hit + blks_read)::float8 AS blocks, blks_read::float8 AS "blocksRead",
         (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes"
    FROM pg_stat_database WHERE datname = current_database()`;

/**
 * The WAL bytes of each table and index between two WAL positions, the most first: changes, and
 * pages that are written as a whole because they were not changed since the last checkpoint.
 */
const WAL_OF_RELATIONS = `
  SELECT c.relname AS relation,
         sum(coalesce(w.block_data_length, 0) + coalesce(w.block_fpi_length, 0))::float8 AS bytes
    FROM pg_get_wal_block_info($1, $2) w
    JOIN pg_class c ON c.relfilenode = w.relfilenode
   WHERE w.reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
   GROUP BY c.relname ORDER BY bytes DESC LIMIT 12`;

interface RelationWal {
  readonly relation: string;
  readonly bytes: number;
}

type Work = Readonly<Record<'blocks' | 'blocksRead' | 'walBytes', number>>;

interface Measured {
  readonly rounds: readonly Round[];
  /** For one order. */
  readonly work: Work;
  readonly wal: readonly RelationWal[];
}

/** The parts of the CPU time that a larger database can change. */
const PARTS = ['all', 'postgres'] as const;

const cpuOf = (rounds: readonly Round[], part: string): number =>
  median(rounds.map((round) => round.cpuMsPerOrder[part] ?? 0));

const lsn = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn() AS lsn');
  return rows[0]?.lsn ?? '0/0';
};

/** Measures whole orders, from the first to the last webhook. */
const measure = async (stack: Stack, pool: Pool): Promise<Measured> => {
  let orders = 0;
  const once = async (): Promise<void> => {
    await payOrder(stack, new Laps());
    orders += 1;
  };
  const workSoFar = async (): Promise<Work> => {
    const { rows } = await pool.query<Work>(WORK);
    assert(rows[0] !== undefined, 'the server counts the work of each database');
    return rows[0];
  };
  const [start, from] = [await workSoFar(), await lsn(pool)];
  await perSecond(PAYERS, WARM_UP_MS, once);
  const round = () => runRound(pool, pidsOf(stack), webhooksOf(pool), once);
  const rounds = await roundsWithWebhooks(ROUNDS, round);
  await comeToRest(pool);
  const [end, to] = [await workSoFar(), await lsn(pool)];
  const { rows } = await pool.query<RelationWal>(WAL_OF_RELATIONS, [from, to]);
  const wal = rows.map(({ relation, bytes }) => ({ relation, bytes: bytes / orders }));
  const perOrder = (name: keyof Work): number => (end[name] - start[name]) / orders;
  const [blocks, blocksRead] = [perOrder('blocks'), perOrder('blocksRead')];
  return { rounds, wal, work: { blocks, blocksRead, walBytes: perOrder('walBytes') } };
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

/**
 * Measures whole orders on a new database, copies their rows until the log has `events` events of
 * two years, and measures again. Returns whether the goals were met.
 */
export const benchGrowth = async ({ events, say, ...servers }: GrowthOptions): Promise<boolean> => {
  const env = { API_REQUESTS_PER_SECOND: '1000000' };
  const stack = await startStack({ ...servers, name: 'growth', env });
  const pool = new Pool({ connectionString: stack.databases.orchestrator, max: 2 });
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  const before = await measure(stack, pool);
  const sample = await count(pool, 'SELECT count(*) FROM events');
  const replicas = Math.ceil(events / sample);
  assert(replicas <= MOST_REPLICAS, `${sample} events cannot become ${events}`);
  const beganMs = performance.now();
  await addReplicas(pool, replicas);
  const loadedMs = performance.now() - beganMs;
  const [orders, bytes] = [
    await count(pool, 'SELECT count(*) FROM order_list'),
    await bytesKept(pool),
  ];
  const size = `${(sample * (replicas + 1)).toLocaleString('en')} events`;
  say(
    `${size} of ${orders.toLocaleString('en')} orders, loaded in ${Math.round(loadedMs / 1_000)} s`,
  );
  const after = await measure(stack, pool);
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
