import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventStoreModule } from '#event-store';
import { Messaging, MessagingModule } from '#messaging';
import { createLogger, DatabaseModule, HealthChecks, Metrics, PlatformModule } from '#platform';
import { waitFor } from '#testing';
import { copies, copying, type Harness, startHarness, upTo } from './harness.js';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.end());

const startWorker = async (name: string) => {
  @Module({})
  class Work {
    constructor(messaging: Messaging) {
      messaging.subscribe(copying(name));
    }
  }
  @Module({
    imports: [
      PlatformModule.forRoot(createLogger('worker', { level: 'silent' })),
      DatabaseModule.forRoot({
        applicationName: 'worker', connectionString: harness.database.url,
      }),
      EventStoreModule.forAggregates([]),
      MessagingModule.forWorker({ clientId: 'worker', aggregates: [], kafka: harness.settings }),
      Work,
    ],
  })
  class Worker {}
  const app = await NestFactory.createApplicationContext(Worker, { logger: false });
  harness.onEnd(() => app.close());
  return app;
};

test('a worker is idle once all that is committed has been told and taken', async () => {
  const app = await startWorker('worker');
  const messaging = app.get(Messaging);
  await waitFor(() => messaging.isIdle());
  const streams = upTo(5).map(() => harness.newStream());
  for (const id of streams) await harness.note(id, 'a', 'b');
  await waitFor(() => messaging.isIdle(), { everyMs: 5 });
  for (const id of streams) expect(await copies(harness, 'worker', id)).toEqual(['a', 'b']);
  expect((await app.get(HealthChecks).ready()).checks['relay']).toEqual({ status: 'up' });
});

test('the metrics tell what waits, and who holds the readers of the log back', async () => {
  const app = await startWorker('metrics');
  const messaging = app.get(Messaging);
  const client = await harness.pool.connect();
  await client.query("SET application_name = 'the holder'");
  await client.query('BEGIN');
  await client.query('SELECT pg_current_xact_id()');
  const id = harness.newStream();
  await harness.note(id, 'a', 'b', 'c');
  // Other specs may have an older transaction on the server, for a moment.
  const held = await waitFor(async () => {
    const metrics = await app.get(Metrics).registry.metrics();
    return metrics.includes('postgres_oldest_transaction_seconds{holder="the holder@') && metrics;
  });
  expect(held).toMatch(/^relay_lag_events 3$/m);
  expect(await messaging.isIdle()).toBe(false);
  await client.query('ROLLBACK');
  client.release();
  await waitFor(() => messaging.isIdle());
  const free = await app.get(Metrics).registry.metrics();
  expect(free).toMatch(/^relay_lag_events 0$/m);
  expect(free).toMatch(/^relay_published_total [3-9]$/m);
});
