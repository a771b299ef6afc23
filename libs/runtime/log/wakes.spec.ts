import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '#platform';
import { specPool, waitFor } from '#testing';
import {
  count,
  counter,
  lendLogDatabases,
  metadata,
  openTestLog,
  type TestLog,
} from './counter.fixture.js';
import { EventStore } from './event-store.js';
import { Idle, type IdleMs } from './idle.js';
import { LogReader } from './log-reader.js';
import { PostgresLog } from './log-storage.js';
import { LOG_START } from './stream.js';
import { WakeListener } from './wake-listener.js';
import { Wakes } from './wakes.js';

const logger = createLogger('spec', { level: 'silent' });

const databases = lendLogDatabases();
let log: TestLog;
const ends: (() => Promise<void>)[] = [];

beforeEach(async () => {
  log = await openTestLog(databases);
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await log.close();
});

/** Simulates an api process beside a worker: the process commits, but runs no relay and no jobs. */
const committing = (wakes = new Wakes(), pool = log.api): EventStore =>
  new EventStore(new PostgresLog(pool, wakes), counter.upcasters, null);

/** Without a notification, a consumer with these pauses reads nothing during a test. */
const ONLY_WHEN_NOTIFIED = { first: 3_600_000, longest: 3_600_000 };

/** Simulates a log consumer of another process. Resolves after its first read. */
const idleReader = async (
  wakes: Wakes,
  pauses?: IdleMs,
): Promise<{ readonly found: () => number; reads: number }> => {
  const reader = new LogReader(log.pool, counter.upcasters);
  const idle = new Idle(pauses);
  const ending = new AbortController();
  wakes.on('log', () => idle.wake());
  const seen = { events: 0, reads: 0, found: () => seen.events };
  const reading = (async () => {
    while (!ending.signal.aborted) {
      idle.reading();
      seen.events = (await reader.readAfter(LOG_START, 10)).length;
      seen.reads += 1;
      await idle.wait(ending.signal);
    }
  })();
  ends.push(async () => {
    ending.abort();
    await reading;
  });
  await waitFor(() => seen.reads > 0);
  return seen;
};

const listen = async (wakes: Wakes, onLost?: () => void): Promise<void> => {
  const listener = new WakeListener(log.pool, wakes, logger, onLost);
  await listener.start();
  ends.push(() => listener.stop());
};

test('a commit ends the long pause of a log consumer in another process', async () => {
  const wakes = new Wakes();
  await listen(wakes);
  const reader = await idleReader(wakes, ONLY_WHEN_NOTIFIED);
  for (const id of ['a', 'b', 'c']) {
    const before = reader.reads;
    await committing().execute(counter, id, count(), metadata);
    await waitFor(() => reader.reads > before);
  }
});

test('a lost notification delays a log consumer, which polls the log', async () => {
  const reader = await idleReader(new Wakes());
  await committing().execute(counter, 'a', count(), metadata);
  await waitFor(() => reader.found() === 1);
});

test('a process receives notifications again after its connection broke', async () => {
  const wakes = new Wakes();
  let heard = 0;
  await listen(wakes);
  wakes.on('log', () => {
    heard += 1;
  });
  await log.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  // When the connection is restored, all pollers are notified, because they may have missed
  // notifications.
  await waitFor(() => heard === 1);
  await committing().execute(counter, 'a', count(), metadata);
  await waitFor(() => heard === 2);
});

test('a process clears its cached states when its connection breaks', async () => {
  const store = committing();
  await listen(new Wakes(), () => store.clearCache());
  await store.execute(counter, 'a', count(), metadata);
  expect(store.cached(counter, 'a')).toMatchObject({ version: 1 });
  await log.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  await waitFor(() => store.cached(counter, 'a') === null);
});

test('a step that commits nothing sends no notification, and the next commit sends a notification', async () => {
  const wakes = new Wakes();
  const heard: string[] = [];
  await listen(wakes);
  wakes.on('log', () => heard.push('log'));
  const ours = new Wakes();
  const closed = specPool(log.database.urlFor('api'));
  await closed.end();
  await expect(committing(ours, closed).execute(counter, 'a', count(), metadata)).rejects.toThrow();
  await committing(ours).execute(counter, 'a', count(), metadata);
  await waitFor(() => heard.length === 1);
});

test('a process sends one notification for several commits, and ignores its own notifications', async () => {
  const wakes = new Wakes();
  let heard = 0;
  let heardElsewhere = 0;
  const other = new Wakes();
  await listen(wakes);
  await listen(other);
  wakes.on('log', () => {
    heard += 1;
  });
  other.on('log', () => {
    heardElsewhere += 1;
  });
  const store = committing(wakes);
  const sinceMs = performance.now();
  for (let n = 0; n < 20; n += 1) await store.execute(counter, 'a', count(), metadata);
  const atMost = 1 + Math.floor((performance.now() - sinceMs) / 50);
  await waitFor(() => heardElsewhere > 0);
  await sleep(50);
  expect(heardElsewhere).toBeLessThanOrEqual(atMost);
  expect(heard).toBe(0);
});
