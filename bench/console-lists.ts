import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { startAdmin } from '../apps/admin/admin-app.js';
import { CONSOLE_FILES } from '../apps/admin/static/console-files.js';
import { inTransaction, LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { KnownBrowsers } from '../apps/admin/access/known-browsers.js';
import { Sessions } from '../apps/admin/access/sessions.js';
import { Users } from '../apps/admin/access/users.js';
import { PROJECTIONS } from '../apps/worker/projections/catalogue.js';
import { rebuildProjection } from '#projections';
import { createLogger } from '#platform';
import { hasBrowser } from '#testing';
import { dropDatabase, freshDatabase } from '../tools/stack/databases.js';
import { firstViews } from './console-first-view.js';
import { idOf, loadYear } from './console-load.js';

export interface ConsoleBenchOptions {
  /** The URL of a PostgreSQL server, with a user who may create databases. */
  readonly databaseUrl: string;
  readonly orders: number;
  /** Whether the bench also measures the rebuild of the list of orders from the event log. */
  readonly rebuild: boolean;
  readonly say: (line: string) => void;
}

const PAGES = 10;
const SEARCHES = 20;
const WARM_UP = 30;

/**
 * The goals in milliseconds: `answerMs` for the slowest response of the server, `firstViewMs` for
 * the median time until a browser with an empty cache shows the overview with its charts.
 */
const GOAL = { answerMs: 300, firstViewMs: 1_500 };

type Get = (
  path: string,
) => Promise<{ readonly ms: number; readonly body: Record<string, unknown> }>;

const LISTS = [
  'orders',
  'orders?status=open',
  'orders?platformId=platform-7',
  'orders?merchantId=merchant-42',
  'orders?status=paid&merchantId=merchant-40',
  'orders?status=open&status=authorized',
  'orders?accountId=acc_42',
  'orders?sort=updated',
  'orders?sort=updated&direction=asc',
  'orders?sort=amount&currency=eur',
  'orders?currency=eur&amountFrom=5000&amountTo=5100',
  'orders?method=sepa&updatedFrom=2026-06-01T00:00:00Z',
  'orders?from=2026-06-01T00:00:00Z',
  'payments',
  'payments?status=authorized',
  'payments?accountId=acc_42',
  'payments?unknownResults=true',
  'payments?sort=updated',
  'payments?sort=amount&currency=eur',
  'payments?method=sepa',
  'payments?disputed=true',
  'payments?mismatched=true',
  'payments?rejectedRefunds=true',
  'payments?rejectedCaptures=true',
  'payments?status=authorized&expiresTo=2026-07-01T00:00:00Z',
  'payments?declineCode=51&declinedFrom=2026-06-01T00:00:00Z',
  'payments?declinedFrom=2026-11-01T00:00:00Z&authorized=false',
  'payments?authorizedFrom=2026-06-01T00:00:00Z&currency=eur',
  'ledger-entries',
  'ledger-entries?kind=dispute',
  'ledger-entries?kind=payment&currency=eur&from=2026-06-01T00:00:00Z&to=2026-06-02T00:00:00Z',
  'ledger-entries?merchantId=merchant-42',
  'ledger/accounts?at=2026-11-01T00:00:00Z',
  'merchants',
  'merchants?status=draft',
  'payouts',
  'payouts?status=failed',
  'payouts?merchantId=merchant-42',
  'payouts?sort=updated',
  'payouts?sort=amount&currency=eur',
  'exceptions',
  'exceptions?state=open',
  'exceptions?kind=fee',
  'discarded-reactions',
  'webhooks',
  'webhooks?state=handled',
  'webhooks?state=open',
  'webhook-deliveries',
  'cases?grouped=true&snoozed=false',
  'cases?kind=reconciliation_break',
  'audit',
  'audit?actor=user:usr_7',
  'audit?action=session.signed_out',
] as const;

/** Reads the first pages of a list; returns the response time of each page in milliseconds. */
const pagesOf = async (get: Get, list: string): Promise<readonly number[]> => {
  const times: number[] = [];
  let cursor: unknown = null;
  for (let page = 0; page < PAGES; page += 1) {
    const more = cursor === null ? '' : `${list.includes('?') ? '&' : '?'}cursor=${String(cursor)}`;
    const { ms, body } = await get(`/v1/${list}${more}`);
    times.push(ms);
    cursor = body['nextCursor'];
    if (cursor === null) break;
  }
  return times;
};

const searchesOf = async (
  get: Get,
  orders: number,
  path: (id: string, n: number) => string,
): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let one = 0; one < SEARCHES; one += 1) {
    const n = 1 + Math.floor(Math.random() * orders);
    times.push((await get(path(idOf(n), n))).ms);
  }
  return times;
};

/** The amount of order `n` in euros, except for the orders with the most common price, 9.99. */
const euros = (n: number): string => ((100 + (n % 90_000)) / 100).toFixed(2);

const SEARCHED: Readonly<Record<string, (id: string, n: number) => string>> = {
  'search by order id': (id) => `/v1/search?q=ord_${id}`,
  'search by reference': (_, n) => `/v1/search?q=R-${n}`,
  'search by intent': (id) => `/v1/search?q=pi_${id}`,
  'search by provider id': (id) => `/v1/search?q=paym_${id}`,
  'search by merchant': (_, n) => `/v1/search?q=merchant-${n % 5_000}`,
  'search by the beginning of an order id': (id) => `/v1/search?q=ord_${id.slice(0, 8)}`,
  'search by the end of a payment id': (id) => `/v1/search?q=${id.slice(-6)}`,
  'search by the middle of an id': (id) => `/v1/search?q=${id.slice(6, 15)}`,
  'search by a part of a reference': (_, n) => `/v1/search?q=-${n}`,
  'search by the payer’s id in the metadata': (_, n) => `/v1/search?q=payer-${n % 300_000}`,
  'search by amount': (_, n) => `/v1/search?q=€${euros(n)}`,
  'search by the most common amount': () => '/v1/search?q=9.99',
  'search by amount, status and date': (_, n) =>
    `/v1/search?q=${euros(n)} status:captured date:2026`,
  'search by operators': (_, n) =>
    `/v1/search?q=status:refunded amount:>100 merchant:merchant-${n % 5_000}`,
  'search by an amount that no payment has': () => '/v1/search?q=amount:>90000',
  'payments found by amount': (_, n) => `/v1/payments?search=${euros(n)}`,
  'orders found by a part of a reference': (_, n) => `/v1/orders?search=-${n} paid`,
  'totals of a merchant’s payments': (_, n) =>
    `/v1/payments/totals?currency=eur&accountId=acc_${n % 5_000}`,
  'totals of all orders': () => '/v1/orders/totals',
  timeline: (id) => `/v1/entities/order/ord_${id}/timeline`,
  'merchant board': () => '/v1/merchant-board',
  overview: () => '/v1/overview',
  'case totals': () => '/v1/case-totals',
  'money of 30 days': () => '/v1/money?days=30&timeZone=Europe/Paris',
  'money of 30 days of a platform': (_, n) => `/v1/money?days=30&platformId=platform-${n % 20}`,
  'money of 30 days of a merchant': (_, n) => `/v1/money?days=30&merchantId=merchant-${n % 5_000}`,
  'trial balance': () => '/v1/ledger/trial-balance',
  'trial balance of a month ago': () =>
    `/v1/ledger/trial-balance?at=${new Date(Date.now() - 30 * 86_400_000).toISOString()}`,
  'statement of a month': (_, n) => `/v1/statements?merchantId=merchant-${n % 5_000}&month=2026-06`,
  queues: () => '/v1/queues',
};

const report = (say: (line: string) => void, what: string, times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  say(
    `  ${what.padEnd(44)} ${median.toFixed(0).padStart(6)} ms  ${most.toFixed(0).padStart(6)} ms`,
  );
  return { median, most };
};

/**
 * Measures the console with many orders: its lists, its searches, and the loading of the overview
 * in a browser with an empty cache. Returns whether the goals were met.
 */
export const benchConsole = async (options: ConsoleBenchOptions): Promise<boolean> => {
  const { databaseUrl, orders, say } = options;
  const url = await freshDatabase(databaseUrl, 'orchestrator');
  // The statement timeout is disabled, because the statements that fill the tables take longer.
  const pool = new Pool({
    connectionString: url,
    max: 4,
    options: '-c statement_timeout=0 -c transaction_timeout=0',
  });
  const startedMs = performance.now();
  await loadYear(pool, orders);
  say(`${orders} orders loaded in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  const origin = 'http://console.bench';
  const nowhere = 'http://127.0.0.1:9';
  const http = await startAdmin(
    {
      databaseUrl: url,
      port: 0,
      origin,
      trustedProxies: null,
      requiresSecondFactor: false,
      identityProvider: null,
      notices: null,
      accountCoolingOffMs: null,
      requestsPerSecond: 100_000,
      traceUrl: null,
      consoleFiles: CONSOLE_FILES,
      providerUrl: nowhere,
      partnersUrl: nowhere,
      manageUrl: nowhere,
      publicWebhookUrl: nowhere,
      partnerKeys: { test: null, live: null },
      secretsKey: `bench:${randomBytes(32).toString('base64')}`,
    },
    { logger: createLogger('admin', { level: 'error' }), ownsProcess: false },
  );
  const token = await signedIn(pool);
  const get = getter(http.url, token);
  // Warm-up before the measurement: opens connections, and lets Node compile the code.
  await Promise.all(Array.from({ length: WARM_UP }, () => get('/v1/orders')));
  say(`  ${' '.repeat(44)}    median    slowest`);
  let slowest = 0;
  for (const list of LISTS) {
    slowest = Math.max(
      slowest,
      report(say, `${list}, ${PAGES} pages`, await pagesOf(get, list)).most,
    );
  }
  for (const [what, path] of Object.entries(SEARCHED)) {
    slowest = Math.max(slowest, report(say, what, await searchesOf(get, orders, path)).most);
  }
  const views = hasBrowser()
    ? await timeFirstViews(http.url, token, say)
    : { slowLineMs: 0, chartsMs: 0 };
  const firstViewMs = Math.max(views.slowLineMs, views.chartsMs);
  if (options.rebuild) await timeRebuild(pool, say);
  await http.close();
  await pool.end();
  await dropDatabase(databaseUrl, url);
  say(
    `\nslowest answer ${Math.round(slowest)} ms (goal ≤ ${GOAL.answerMs}), ` +
      `first view ${Math.round(views.chartsMs)} ms, on a slow line ` +
      `${Math.round(views.slowLineMs)} ms (goal ≤ ${GOAL.firstViewMs})`,
  );
  return slowest <= GOAL.answerMs && firstViewMs <= GOAL.firstViewMs;
};

/** The session token of a new user with the role viewer. */
const signedIn = async (pool: Pool): Promise<string> => {
  const sessions = new Sessions(pool);
  const users = new Users(pool, sessions, new KnownBrowsers(pool));
  const made = await users.create(
    'bench',
    'viewer',
    { actor: 'bench', requestId: 'bench' },
    'bench',
  );
  await pool.query('UPDATE admin_users SET password_expires_at = NULL');
  return inTransaction(pool, (client) =>
    sessions.begin(client, made.user.id, {
      gaveSecondFactor: false,
      begunWith: 'password',
    }),
  );
};

const getter =
  (url: string, token: string): Get =>
  async (path) => {
    const startedMs = performance.now();
    const answer = await fetch(`${url}${path}`, { headers: { cookie: `session=${token}` } });
    const body = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return { ms: performance.now() - startedMs, body };
  };

const timeFirstViews = async (
  url: string,
  token: string,
  say: (line: string) => void,
): Promise<{ readonly slowLineMs: number; readonly chartsMs: number }> => {
  const slow = await firstViews(url, token, true);
  const { median: slowLineMs } = report(
    say,
    'first view on a slow line',
    slow.map(({ firstMs }) => firstMs),
  );
  report(
    say,
    'whole page on a slow line',
    slow.map(({ wholeMs }) => wholeMs),
  );
  const views = await firstViews(url, token);
  report(
    say,
    'first view, its numbers',
    views.map(({ numbersMs }) => numbersMs),
  );
  const { median: chartsMs } = report(
    say,
    'first view, with its charts',
    views.map(({ wholeMs }) => wholeMs),
  );
  return { slowLineMs, chartsMs };
};

const timeRebuild = async (pool: Pool, say: (line: string) => void): Promise<void> => {
  const projection = PROJECTIONS.find(({ name }) => name === 'order_list');
  if (projection === undefined) throw new Error('no projection has the name order_list');
  const startedMs = performance.now();
  const { events } = await rebuildProjection(pool, new LogReader(pool, UPCASTERS), projection);
  const seconds = (performance.now() - startedMs) / 1_000;
  say(
    `order_list rebuilt from ${events} events in ${Math.round(seconds)} s, ` +
      `${Math.round(events / seconds)} events/s`,
  );
};
