import { LOG_START, LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { waitFor } from '#testing';
import { quiet, WorkerBench } from '../worker.fixture.js';
import { RebuildRequests } from './rebuild-requests.js';

let bench: WorkerBench;
let reader: LogReader;
let requests: RebuildRequests;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
  reader = new LogReader(bench.pool, UPCASTERS);
  requests = new RebuildRequests(bench.pool, reader, quiet);
});
beforeEach(() => bench.admin.query('TRUNCATE projection_rebuilds'));
afterAll(() => bench.close());

const ask = (projection: string) =>
  bench.admin.query('INSERT INTO projection_rebuilds (projection) VALUES ($1)', [projection]);
/**
 * Waits until consumers of the log can read the event: any open transaction on the database server
 * hides a new event for a moment.
 */
const isReadable = (streamId: string) =>
  waitFor(async () =>
    (await reader.readAfter(LOG_START, 100)).some((event) => event.streamId === streamId),
  );
const asked = () =>
  bench.rows(
    `SELECT projection, events::int, failure, ended_at IS NOT NULL AS ended
     FROM projection_rebuilds ORDER BY id`,
  );

test('the rebuild runner does nothing when no rebuild is requested', async () => {
  expect(await requests.round()).toBe('idle');
});

test('the rebuild runner rebuilds a list from the event log and reports its progress', async () => {
  const paymentId = await bench.requestIntent();
  await isReadable(paymentId);
  await ask('payment_list');
  expect(await requests.round()).toBe('more');
  const [rebuilt] = await asked();
  expect(rebuilt).toMatchObject({ projection: 'payment_list', failure: null, ended: true });
  expect((rebuilt as { events: number }).events).toBeGreaterThan(0);
  expect(await bench.rows('SELECT payment_id FROM payment_list')).toEqual([
    { payment_id: paymentId },
  ]);
});

test('the rebuild runner restarts a rebuild that another process left incomplete', async () => {
  await ask('payment_list');
  await bench.admin.query('UPDATE projection_rebuilds SET started_at = now(), events = 3');
  expect(await requests.round()).toBe('more');
  expect(await requests.round()).toBe('idle');
});

describe('an event that a projection cannot process', () => {
  beforeEach(() =>
    bench.admin.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
            metadata)
     VALUES ('payment', 'pay_headless', 1, gen_random_uuid(), 'CaptureRequested', 1, '{}', '{}')`,
    ),
  );
  afterEach(() =>
    bench.admin.query(
      `ALTER TABLE events DISABLE TRIGGER USER;
     DELETE FROM events WHERE stream_id = 'pay_headless';
     ALTER TABLE events ENABLE TRIGGER USER`,
    ),
  );

  test('makes the rebuild fail with a message, and delays the rebuild of no other list', async () => {
    await ask('payment_list');
    await ask('order_list');
    await isReadable('pay_headless');
    expect(await requests.round()).toBe('more');
    expect(await requests.round()).toBe('more');
    expect(await asked()).toEqual([
      {
        projection: 'payment_list',
        events: 0,
        ended: true,
        failure: 'the payment pay_headless begins before its CaptureRequested',
      },
      { projection: 'order_list', events: expect.any(Number), failure: null, ended: true },
    ]);
  });
});

test('the rebuild runner retries while another process rebuilds the same list or the database is unavailable', async () => {
  await ask('payment_list');
  const other = await bench.admin.connect();
  const lock = `hashtextextended('projection:payment_list_rebuild', 0)`;
  await other.query(`SELECT pg_advisory_lock(${lock})`);
  await expect(requests.round()).rejects.toThrow('another process is rebuilding payment_list');
  expect(await asked()).toMatchObject([{ failure: null, ended: false }]);
  await other.query(`SELECT pg_advisory_unlock(${lock})`);
  other.release();
  expect(await requests.round()).toBe('more');
  expect(await asked()).toMatchObject([{ failure: null, ended: true }]);
});

test('a rebuild request for an unknown projection fails and delays no other request', async () => {
  await ask('events');
  await ask('order_list');
  expect(await requests.round()).toBe('more');
  expect(await requests.round()).toBe('more');
  expect(await asked()).toEqual([
    { projection: 'events', events: 0, failure: 'there is no such projection', ended: true },
    { projection: 'order_list', events: expect.any(Number), failure: null, ended: true },
  ]);
});
