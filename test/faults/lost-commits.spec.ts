import { EventStore, PostgresLog } from '#log';
import { begunJob, type JobRunner } from '#jobs';
import { UPCASTERS } from '#orchestrator';
import { paymentAggregate } from '#payment';
import { createPool } from '#platform';
import { waitFor } from '#testing';
import type pg from 'pg';
import { EffectsBench } from '../../apps/worker/payments/calls.fixture.js';
import { TcpFaultProxy } from './tcp-fault-proxy.js';

/**
 * A worker commits a provider request and claims it in the same commit, but does not receive
 * PostgreSQL's response to the commit, so the worker does not send the request.
 */

let effects: EffectsBench;
let runner: JobRunner;
let proxy: TcpFaultProxy;
let pool: pg.Pool;
let store: EventStore;
const begun: string[] = [];

beforeAll(async () => {
  effects = await EffectsBench.open();
  const url = new URL(effects.bench.pool.options.connectionString ?? '');
  proxy = await TcpFaultProxy.start(Number(url.port));
  url.port = String(proxy.port);
  pool = createPool(
    { applicationName: 'spec', connectionString: url.toString(), max: 1 },
    () => undefined,
  );
  store = new EventStore(new PostgresLog(pool), UPCASTERS, null);
  runner = effects.newRunner();
  await runner.claim();
  store.beginCallsBy({
    reserve: (call) => runner.reserve(call),
    release: (call) => runner.release(call),
    giveBack: (call) => void runner.giveBack(call),
    begin: (call) => {
      begun.push(call.kind);
      void runner.run(begunJob(call));
    },
  });
});
afterAll(async () => {
  await pool.end();
  await proxy.end();
  await effects.close();
});

test('a refund is sent once if the response to the commit that requested the refund was lost', async () => {
  const { bench, provider } = effects;
  const id = await bench.requestIntent();
  await effects.runAll(runner);
  provider.attempt(provider.intentOf(id)?.id ?? '', 'captured');
  await effects.refresh(id);
  await store.load(paymentAggregate, id);

  proxy.meet('cut');
  const at = bench.clock.now();
  await expect(
    store.execute(
      paymentAggregate,
      id,
      {
        type: 'RequestRefund',
        requestId: 'rfr_1',
        amountMinor: 500,
        reference: null,
        reason: null,
        at,
      },
      bench.metadata(`ord_${id}`),
    ),
  ).rejects.toThrow(/ECONNRESET|Connection terminated/);
  expect((await bench.story(id)).at(-1)).toBe('RefundRequested');
  expect(begun).toEqual([]);

  const job = () => effects.jobs(id).then((jobs) => jobs.at(-1));
  await waitFor(async () => (await job())?.state === 'ready');
  await effects.runAll(effects.newRunner());
  expect(provider.count('refund')).toBe(1);
  expect(await job()).toMatchObject({ kind: 'refund', state: 'done', tries: 1 });
});
