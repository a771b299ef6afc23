import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConnectionCheck, EventStoreModule } from '#log';
import { MessagingModule } from '#kafka';
import {
  BusinessClockModule,
  createLogger,
  DatabaseModule,
  HealthChecks,
  Metrics,
  PlatformModule,
} from '#platform';
import { waitFor } from '#testing';
import {
  type Harness,
  lendHarnessDatabases,
  notebook,
  readTopic,
  startHarness,
  upTo,
} from './harness.js';

const databases = lendHarnessDatabases();
let harness: Harness;
beforeEach(async () => {
  harness = await startHarness({}, databases);
});
afterEach(() => harness.end());

const startWorker = async () => {
  @Module({
    imports: [
      PlatformModule.forRoot(createLogger('worker', { level: 'silent' })),
      DatabaseModule.forRoot({
        applicationName: 'worker',
        connectionString: harness.database.urlFor('worker'),
      }),
      BusinessClockModule.forRoot(),
      EventStoreModule.forLog({ aggregates: [notebook], sagas: [] }, new ConnectionCheck()),
      MessagingModule.forWorker(harness.settings),
    ],
  })
  class Worker {}
  const app = await NestFactory.createApplicationContext(Worker, { logger: false });
  harness.onEnd(() => app.close());
  return app;
};

test('a worker publishes every committed event', async () => {
  const app = await startWorker();
  const streams = upTo(5).map(() => harness.newStream());
  for (const id of streams) await harness.note(id, 'a', 'b');
  await waitFor(() => harness.isPublished());
  const published = await readTopic(harness);
  for (const id of streams) {
    expect(
      published.filter(({ streamId }) => streamId === id).map(({ data }) => data['text']),
    ).toEqual(['a', 'b']);
  }
  expect((await app.get(HealthChecks).ready()).checks['relay']).toEqual({ status: 'up' });
});

test('metrics show the number of unpublished events, and the age of the oldest open transaction', async () => {
  const app = await startWorker();
  const client = await harness.pool.connect();
  await client.query('BEGIN');
  await client.query("SET LOCAL application_name = 'the holder'");
  await client.query('SELECT pg_current_xact_id()');
  const id = harness.newStream();
  await harness.note(id, 'a', 'b', 'c');
  // Waits until the test's transaction is the oldest open one, because other specs may have an
  // older transaction open on the server.
  const held = await waitFor(async () => {
    const metrics = await app.get(Metrics).registry.metrics();
    return metrics.includes('postgres_oldest_transaction_seconds{holder="the holder@') && metrics;
  });
  expect(held).toMatch(/^relay_lag_events 3$/m);
  expect(await harness.isPublished()).toBe(false);
  await client.query('ROLLBACK');
  client.release();
  await waitFor(() => harness.isPublished());
  const free = await app.get(Metrics).registry.metrics();
  expect(free).toMatch(/^relay_lag_events 0$/m);
  expect(free).toMatch(/^relay_published_total [3-9]$/m);
});
