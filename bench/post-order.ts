import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { newId } from '#kernel';
import { Pool as HttpPool } from 'undici';
import { freePort, supervise, waitReady } from '../tools/infra/processes.mjs';
import { emptyDatabase } from '../tools/stack/databases.js';
import type { Servers, Stack } from '../tools/stack/stack.js';
import { median, percentile } from './rounds.js';
import { apiUrlOf } from './stack-orders.js';

const CONNECTIONS = 16;
const ROUNDS = 5;
const ROUND_MS = 3_000;

export interface RouteComparison {
  /**
   * The median over the rounds of this ratio: the median duration (p50) of our route, divided by
   * that of the route without logic.
   */
  readonly ratio: number;
  readonly ours: Latency;
  readonly bare: Latency;
}

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

type Request = () => { path: string; headers: Record<string, string>; body: string };

/**
 * Sends requests over 16 connections, each with one open request at a time; returns the duration of
 * each request in milliseconds.
 */
const load = async (origin: string, next: Request, forMs: number): Promise<number[]> => {
  const http = new HttpPool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const durations: number[] = [];
  const startedMs = performance.now();
  const loop = async (): Promise<void> => {
    while (performance.now() - startedMs < forMs) {
      const { path, headers, body } = next();
      const sentMs = performance.now();
      const answer = await http.request({ path, method: 'POST', headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 201) throw new Error(`${answer.statusCode}: ${text}`);
      durations.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  await http.close();
  return durations;
};

const orderBody = (merchantId: string): string =>
  JSON.stringify({
    merchantId,
    reference: newId('ref'),
    amountMinor: 1250,
    currency: 'eur',
    capture: { policy: 'automatic' },
    methods: ['card'],
    description: 'a bench order',
  });

const latency = (durations: readonly number[]): Latency => ({
  p50Ms: percentile(durations, 0.5),
  p99Ms: percentile(durations, 0.99),
});

/**
 * Bench R4: compares the duration of `POST /v1/orders` with the duration of a route without logic
 * that inserts as many rows.
 */
export const benchPostOrder = async (servers: Servers, stack: Stack): Promise<RouteComparison> => {
  const port = await freePort();
  const main = fileURLToPath(new URL('bare-route.js', import.meta.url));
  const env = {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: await emptyDatabase(servers.databaseUrl, 'bare'),
  };
  const bareApp = supervise(process.execPath, [main], { name: 'The bare route', env });
  const bareUrl = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${bareUrl}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitReady(bareApp, answers, { timeoutMs: 10_000 });

  const apiUrl = apiUrlOf(stack);
  const json = { 'content-type': 'application/json' };
  const ours: Request = () => ({
    path: '/v1/orders',
    headers: {
      ...json,
      authorization: `Bearer ${stack.apiKey}`,
      'idempotency-key': randomUUID(),
    },
    body: orderBody(stack.merchantId),
  });
  const bare: Request = () => ({
    path: '/orders',
    headers: json,
    body: orderBody(stack.merchantId),
  });
  const rounds: { ours: Latency; bare: Latency }[] = [];
  await load(bareUrl, bare, 1_000);
  await load(apiUrl, ours, 1_000);
  for (let round = 0; round < ROUNDS; round += 1) {
    const base = latency(await load(bareUrl, bare, ROUND_MS));
    rounds.push({ bare: base, ours: latency(await load(apiUrl, ours, ROUND_MS)) });
  }
  await bareApp.stop();
  const middle = (side: 'ours' | 'bare'): Latency => ({
    p50Ms: median(rounds.map((round) => round[side].p50Ms)),
    p99Ms: median(rounds.map((round) => round[side].p99Ms)),
  });
  return {
    ratio: median(rounds.map((round) => round.ours.p50Ms / round.bare.p50Ms)),
    ours: middle('ours'),
    bare: middle('bare'),
  };
};
