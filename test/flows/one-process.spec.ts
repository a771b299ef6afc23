import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '#kernel';
import { waitFor } from '#testing';
import { keepRunning } from '../../tools/demo/keep-running.mjs';
import { keptStory } from '../../tools/demo/kept-story.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { followEvents } from '../../tools/demo/event-stream.js';
import { CARDS } from '../../tools/stack/payer.js';
import { hasSeries, watchedSeries } from '../alerts/watched-series.js';
import { Flow } from '../support/flow.js';
import { startWithSandboxHere } from '../support/sandbox-here.js';

/** Api and worker as one process, started as `npm run demo` starts it. */

let flow: Flow;

beforeAll(async () => {
  flow = await Flow.start({ shape: 'one', startApp: startWithSandboxHere });
});
afterAll(() => flow.stop());

const processOf = () => {
  const [one] = flow.stack.apis;
  if (one === undefined) throw new Error('the stack has no process');
  return one;
};

const statusOf = async (url: string): Promise<number> => {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
};

test('each metric whose increase triggers an alert exists from the start of the process', async () => {
  const metrics = await (await fetch(`${processOf().internalUrl}/metrics`)).text();
  expect(watchedSeries().length).toBeGreaterThan(10);
  expect(watchedSeries().filter((series) => !hasSeries(metrics, series))).toEqual([]);
});

test('the process takes an order from placed to paid, and captures it the next morning', async () => {
  expect(flow.stack.workers).toEqual(flow.stack.apis);
  const { id } = await flow.place();
  const { payer, paymentId } = await flow.page(id);
  expect(await payer.pay(CARDS.threeDSecure)).toBe('confirm');
  await flow.platform.pageCompleted(paymentId);
  await flow.orderIs(id, 'paid');
  await flow.stack.sandbox.advance('P1D');
  await flow.paymentIs(id, 'captured');
});

test('one response of the process reports readiness and health of api and worker', async () => {
  const { url, internalUrl } = processOf();
  for (const base of [url, internalUrl]) {
    const ready = (await (await fetch(`${base}/health/ready`)).json()) as { checks: object };
    expect(ready).toMatchObject({ status: 'up' });
    expect(Object.keys(ready.checks).toSorted()).toEqual(['clock', 'postgres', 'relay']);
  }
  const metrics = await (await fetch(`${internalUrl}/metrics`)).text();
  for (const api of ['route="/v1/orders"', 'event_streams_open 0']) expect(metrics).toContain(api);
  for (const worker of ['jobs_ended_total{kind="create_intent"', 'webhooks_open 0']) {
    expect(metrics).toContain(worker);
  }
  expect(metrics.match(/^# TYPE pg_pool_connections /gm)).toHaveLength(1);
});

test('the platforms’ port serves no metrics, and the metrics port serves no orders', async () => {
  const { url, internalUrl } = processOf();
  expect(await statusOf(`${url}/metrics`)).toBe(404);
  expect(await statusOf(`${url}/clock`)).toBe(404);
  expect(await statusOf(`${url}/v1/orders`)).toBe(401);
  expect(await statusOf(`${internalUrl}/v1/orders`)).toBe(404);
  expect(await statusOf(`${internalUrl}/docs`)).toBe(404);
});

test('api and worker share one connection pool, and one connection for commit notifications', async () => {
  const client = new pg.Client({ connectionString: flow.stack.databases.orchestrator });
  await client.connect();
  const { rows } = await client.query<{ name: string; count: number }>(
    `SELECT application_name AS name, count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() GROUP BY 1`,
  );
  await client.end();
  expect(rows.map(({ name }) => name)).toEqual(['all']);
  expect(rows[0]?.count).toBeLessThanOrEqual(11);
});

test('on SIGTERM the process finishes open requests and stops, and no order is lost', async () => {
  const { url, logTail, stop, exited, restart } = processOf();
  const { id: read } = await flow.place();
  const { paymentId } = await flow.page(read);
  const streamed: unknown[] = [];
  const streaming = followEvents(
    `${url}/v1/orders/${read}/events`,
    { authorization: `Bearer ${flow.stack.apiKey}` },
    (entry) => streamed.push(entry),
    new AbortController().signal,
  );
  await waitFor(() => streamed.length > 0);
  await flow.stack.sandbox.addFault({
    route: 'GET /v2/payment_intents/{pi_id}',
    kind: 'delay',
    delayMs: 1_500,
    count: 1,
  });
  const refreshing = flow.platform.send('POST', `/v1/payments/${paymentId}/refresh`);
  await waitFor(() => flow.haveAllFaultsHit());
  const placing = Array.from({ length: 8 }, () => flow.place());
  await Promise.all(placing.slice(0, 4));
  const stopping = stop();
  expect((await refreshing).status).toBe(200);
  await Promise.all([stopping, streaming.catch(() => undefined)]);
  expect(await exited()).toMatchObject({ code: 0 });
  const errors = logTail(500)
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line));
  expect(errors).toEqual([]);
  await restart();
  for (const { id } of await Promise.all(placing)) await flow.page(id);
});

test('in the demo, the process is started again after kill -9, and continues its orders', async () => {
  const app = processOf();
  const printed: string[] = [];
  void keepRunning(app, (line) => printed.push(line)).catch(() => undefined);
  const { id } = await flow.place();
  await app.kill9();
  await waitFor(() => printed.length === 2, { timeoutMs: 30_000 });
  expect(printed[0]).toContain('The app all ended by itself (SIGKILL) and is started again');
  await flow.page(id);
});

test('the demo’s story has already run if the demo has stored the id of the story’s order and the database contains the order', async () => {
  const story = keptStory(scratchDir(mkdtempSync(join(tmpdir(), 'demo-'))));
  const api = { apiUrl: processOf().url, apiKey: flow.stack.apiKey };
  expect(await story.hasRun(api)).toBe(false);
  const { id } = await flow.place();
  story.keep(id);
  expect(await story.hasRun(api)).toBe(true);
  story.keep(newId('ord'));
  expect(await story.hasRun(api)).toBe(false);
});
