import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#kernel';
import { Pool } from 'pg';
import { Agent, request } from 'undici';
import type { Stack } from '../tools/stack/stack.js';
import { type DatabaseCosts, DatabaseCounter, withoutIdle } from './database-costs.js';
import { apiUrlOf } from './post-order.js';
import { median, percentile, perSecond } from './rounds.js';
import { writeTransactions } from './write-transactions.js';

const PAYERS = 16;
const ROUNDS = 5;
const ROUND_MS = 6_000;
/**
 * The warm-up is longer than the delay of the provider's webhooks, so that each round includes
 * webhooks.
 */
const WARM_UP_MS = 20_000;
/**
 * How long the counted load lasts; its consequences are counted until no webhook arrives any more.
 */
const COUNTED_MS = 10_000;
const IDLE_MS = 8_000;
const QUIET_MS = 3_000;
/** The delay of the provider's webhooks. */
const WEBHOOKS_AFTER_MS = 16_000;
const QUIET_WITHIN_MS = 180_000;
/** A test card without 3-D Secure, so that the payer's time is not measured. */
const CARD = {
  number: '9999000000000079',
  expMonth: 12,
  expYear: 2035,
  cvc: '123',
  name: 'Ada Lovelace',
};
const STEPS = ['place', 'page ready', 'pay', 'refresh', 'paid', 'whole'] as const;

export interface WholeOrders {
  /** orders/s × commits per order, over raw single-row commits/s on the same server. */
  readonly ratio: number;
  readonly ordersPerSecond: number;
  readonly commitsPerOrder: number;
  readonly rawCommitsPerSecond: number;
  /** Webhooks handled for each order during the rounds. */
  readonly webhooksPerOrder: number;
  readonly steps: Readonly<Record<string, { readonly p50Ms: number; readonly p99Ms: number }>>;
  /** CPU seconds for each order, by process. */
  readonly cpuPerOrder: Readonly<Record<string, number>>;
  /** The costs of each order, without those of the same time idle. */
  readonly database: DatabaseCosts;
  /** The costs of each second without orders. */
  readonly idle: DatabaseCosts;
}

const agent = new Agent({ connections: 2 * PAYERS, pipelining: 1 });

const call = async (
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Record<string, unknown>> => {
  const answer = await request(url, {
    method,
    dispatcher: agent,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
};

/**
 * Follows an order's event stream; `until` waits for the first event of a type and returns its
 * data.
 */
const follow = (stack: Stack, orderId: string) => {
  const ending = new AbortController();
  const waiting = new Map<string, (data: Record<string, unknown>) => void>();
  const seen = new Map<string, Record<string, unknown>>();
  const read = async (): Promise<void> => {
    const answer = await request(`${apiUrlOf(stack)}/v1/orders/${orderId}/events`, {
      dispatcher: agent,
      signal: ending.signal,
      headers: { authorization: `Bearer ${stack.apiKey}`, accept: 'text/event-stream' },
    });
    let text = '';
    for await (const chunk of answer.body) {
      text += String(chunk);
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) take(frame);
    }
  };
  const take = (frame: string): void => {
    const line = frame.split('\n').find((one) => one.startsWith('data:'));
    if (!line) return;
    const entry = JSON.parse(line.slice(5)) as { type: string; data: Record<string, unknown> };
    seen.set(entry.type, entry.data);
    waiting.get(entry.type)?.(entry.data);
  };
  const failed = read().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  return {
    until: (type: string): Promise<Record<string, unknown>> => {
      const known = seen.get(type);
      if (known) return Promise.resolve(known);
      const event = new Promise<Record<string, unknown>>((resolve) => waiting.set(type, resolve));
      return Promise.race([event, failed.then(() => event)]);
    },
    end: () => ending.abort(),
  };
};

type Durations = Map<string, number[]>;

/** Runs one order from placed to paid, as a platform and a payer do. */
const oneOrder = async (stack: Stack, durations: Durations): Promise<void> => {
  const startedMs = performance.now();
  let lastMs = startedMs;
  const lap = (step: string): void => {
    const nowMs = performance.now();
    durations.get(step)?.push(nowMs - lastMs);
    lastMs = nowMs;
  };
  const platform = () => ({
    authorization: `Bearer ${stack.apiKey}`,
    'idempotency-key': randomUUID(),
  });
  const order = await call('POST', `${apiUrlOf(stack)}/v1/orders`, platform(), {
    merchantId: stack.merchantId,
    reference: newId('ref'),
    amountMinor: 1250,
    currency: 'eur',
    capture: { policy: 'automatic' },
    methods: ['card'],
  });
  lap('place');
  const events = follow(stack, String(order['id']));
  try {
    const { pageUrl } = await events.until('IntentCreated');
    lap('page ready');
    const outcome = await call('POST', `${String(pageUrl)}/card`, {}, CARD);
    if (outcome['next'] === 'confirm') await call('POST', `${String(pageUrl)}/confirm`, {}, {});
    lap('pay');
    const { paymentId } = await events.until('OrderPaymentStarted');
    const refreshUrl = `${apiUrlOf(stack)}/v1/payments/${String(paymentId)}/refresh`;
    await call('POST', refreshUrl, platform(), { pageCompleted: true });
    lap('refresh');
    await events.until('OrderPaid');
    lap('paid');
    durations.get('whole')?.push(performance.now() - startedMs);
  } finally {
    events.end();
  }
};

/** CPU seconds that a process has used so far, without its children. */
export const cpuSeconds = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch (error) {
    // The usage of a database session that has ended cannot be read.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
};

/** The process ids of the embedded broker, when this machine runs one. */
const kafkaPids = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('kafka.Kafka\0');
      } catch {
        return false; // It has ended since.
      }
    });

/**
 * The sessions of a database, and the server's processes without one, which write the WAL and the
 * pages of all databases.
 */
const SESSIONS = `
  SELECT pid, CASE WHEN datname LIKE 'orchestrator%' THEN 'postgres (orchestrator)'
                   WHEN datname LIKE 'sandbox%' THEN 'postgres (sandbox)'
                   ELSE 'postgres (both)' END AS part FROM pg_stat_activity`;

const cpuByProcess = async (stack: Stack, pool: Pool): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ pid: number; part: string }>(SESSIONS);
  const used: Record<string, number> = {};
  for (const { app, pid } of stack.apps) used[app] = pid === undefined ? 0 : cpuSeconds(pid);
  for (const { pid, part } of rows) used[part] = (used[part] ?? 0) + cpuSeconds(pid);
  used['kafka'] = kafkaPids().reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const { user, system } = process.cpuUsage();
  used['payers'] = (user + system) / 1e6;
  return used;
};

const rawCommits = (pool: Pool): Promise<number> =>
  perSecond(PAYERS, 2_000, () =>
    pool.query({
      name: 'raw',
      text: 'INSERT INTO bench_raw (id, data) VALUES ($1, $2)',
      values: [newId('ord'), '{"amountMinor": 1250}'],
    }),
  );

const webhooksHandled = async (pool: Pool): Promise<number> => {
  const {
    rows: [row],
  } = await pool.query<{ handled: number }>(
    'SELECT count(handled_at)::int AS handled FROM webhooks_received',
  );
  return row?.handled ?? 0;
};

/** Waits until all webhooks have arrived and are handled. */
const comeToRest = async (pool: Pool): Promise<void> => {
  await sleep(WEBHOOKS_AFTER_MS);
  const look = async (): Promise<string> => {
    const {
      rows: [found],
    } = await pool.query<{ all: number; open: number }>(
      `SELECT count(*)::int AS all, (count(*) FILTER (WHERE handled_at IS NULL))::int AS open
         FROM webhooks_received`,
    );
    return `${found?.all} ${found?.open}`;
  };
  const deadlineMs = Date.now() + QUIET_WITHIN_MS;
  for (let before = ''; Date.now() < deadlineMs;) {
    const seen = await look();
    if (seen === before && seen.endsWith(' 0')) return;
    before = seen;
    await sleep(QUIET_MS);
  }
  throw new Error('webhooks still arrive');
};

/** The database costs of an order, and of an idle second. */
const databaseCosts = async (
  stack: Stack,
  once: () => Promise<void>,
): Promise<Pick<WholeOrders, 'database' | 'idle'>> => {
  const counter = await DatabaseCounter.open(stack.databases.orchestrator);
  const pool = new Pool({ connectionString: stack.databases.orchestrator, max: 1 });
  await comeToRest(pool);
  const idle = await counter.during(() => sleep(IDLE_MS));
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
  await Promise.all([counter.close(), pool.end()]);
  return {
    database: withoutIdle(busy, idle, tookMs / IDLE_MS, orders),
    idle: withoutIdle(idle, idle, 0, IDLE_MS / 1_000),
  };
};

/** R2: runs whole orders through api, worker and sandbox; a refresh reads the authorization. */
export const benchWholeOrders = async (stack: Stack): Promise<WholeOrders> => {
  const pool = new Pool({ connectionString: stack.databases.orchestrator, max: PAYERS });
  await pool.query('CREATE TABLE bench_raw (id text PRIMARY KEY, data jsonb NOT NULL)');
  const durations: Durations = new Map(STEPS.map((step) => [step, []]));
  const once = () => oneOrder(stack, durations);
  const raw = await rawCommits(pool);
  await perSecond(PAYERS, WARM_UP_MS, once);
  for (const list of durations.values()) list.length = 0;

  const rounds: { orders: number; commits: number }[] = [];
  const cpu: Record<string, number> = {};
  const handledBefore = await webhooksHandled(pool);
  for (let round = 0; round < ROUNDS; round += 1) {
    const done = durations.get('whole')?.length ?? 0;
    const [cpuBefore, before] = [await cpuByProcess(stack, pool), await writeTransactions(pool)];
    const orders = await perSecond(PAYERS, ROUND_MS, once);
    const made = (durations.get('whole')?.length ?? 0) - done;
    const commits = Number((await writeTransactions(pool)) - before) / made;
    const cpuAfter = await cpuByProcess(stack, pool);
    for (const [name, seconds] of Object.entries(cpuAfter)) {
      const perOrder = (seconds - (cpuBefore[name] ?? 0)) / made;
      cpu[name] = (cpu[name] ?? 0) + perOrder / ROUNDS;
    }
    rounds.push({ orders, commits });
  }
  const webhooks = (await webhooksHandled(pool)) - handledBefore;
  const webhooksPerOrder = webhooks / (durations.get('whole')?.length ?? 1);
  await pool.end();
  const steps = Object.fromEntries(
    [...durations].map(([step, list]) => [
      step,
      { p50Ms: percentile(list, 0.5), p99Ms: percentile(list, 0.99) },
    ]),
  );
  const costs = await databaseCosts(stack, once);
  return {
    ratio: median(rounds.map(({ orders, commits }) => (orders * commits) / raw)),
    ordersPerSecond: median(rounds.map(({ orders }) => orders)),
    commitsPerOrder: median(rounds.map(({ commits }) => commits)),
    rawCommitsPerSecond: raw,
    webhooksPerOrder,
    steps,
    cpuPerOrder: cpu,
    ...costs,
  };
};
