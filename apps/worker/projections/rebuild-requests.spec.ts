import { Lease } from '#kafka';
import { LOG_START, LogReader } from '#log';
import { CASE_TOTALS } from '#operations';
import { UPCASTERS } from '#orchestrator';
import { waitFor } from '#testing';
import { paymentList } from '#payment';
import { ProjectionRunner, rebuildProjection } from '#projections';
import { quiet, WorkerBench } from '../worker.fixture.js';
import { drain } from './drain.fixture.js';
import { RebuildRequests } from './rebuild-requests.js';
import { takeOver } from './take-over.js';

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
        failure:
          'internal error, this must hold: the payment pay_headless begins before its CaptureRequested',
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

test('a rebuild waits for a transaction that reads the list and warns of it, without delaying other readers and without reading the log again', async () => {
  let begun = 0;
  const warnings: unknown[] = [];
  const warn = (fields: object): void => void warnings.push(fields);
  class CountingReader extends LogReader {
    override readAfter(...[cursor, limit]: Parameters<LogReader['readAfter']>) {
      if (cursor.epoch === LOG_START.epoch) begun += 1;
      return super.readAfter(cursor, limit);
    }
  }
  const counting = new RebuildRequests(bench.pool, new CountingReader(bench.pool, UPCASTERS), {
    ...quiet,
    warn,
  } as typeof quiet);
  await isReadable(await bench.requestIntent());
  await ask('payment_list');
  const waits = async () =>
    (
      await bench.rows(
        `SELECT FROM pg_locks WHERE NOT granted AND relation = 'payment_list'::regclass`,
      )
    ).length > 0;

  const reading = await bench.admin.connect();
  await reading.query('BEGIN; SELECT FROM payment_list');
  const rebuilt = counting.round();
  await waitFor(waits);
  await waitFor(async () => !(await waits()));
  const id = await bench.requestIntent();
  await isReadable(id);
  await reading.query('COMMIT');
  reading.release();

  await rebuilt;
  expect(begun).toBe(1);
  expect(warnings).toEqual([
    { err: expect.objectContaining({ code: '55P03' }), projection: 'payment_list' },
  ]);
  expect(await asked()).toMatchObject([{ failure: null, ended: true }]);
  const rows = await bench.rows('SELECT payment_id FROM payment_list WHERE payment_id = $1', id);
  expect(rows).toHaveLength(1);
});

describe('a list with columns that workers of the last release do not write', () => {
  /**
   * The SQL statements of release 0.2.0. Never change them: workers of that release may run during
   * an upgrade.
   */
  const LAST_RELEASE = {
    next: `
      UPDATE projection_rebuilds SET started_at = clock_timestamp(), events = 0
       WHERE id = (SELECT id FROM projection_rebuilds WHERE ended_at IS NULL ORDER BY id LIMIT 1)
      RETURNING id::text, projection`,
    begin: `SELECT begin_rebuild('{payment_list,refund_list,dispute_list}')`,
    endsRequest: /^(?:22|23|42)/,
  };
  const { owed_refunds: _, ...columns } = paymentList.columns;
  const projectionOfLastRelease = { ...paymentList, columns };

  const failedRefund = async (paymentId: string): Promise<void> => {
    for (const [index, [type, data]] of [
      ['RefundRequested', { reference: null, reason: null }],
      ['RefundRejected', { reason: '422' }],
    ].entries()) {
      await bench.admin.query(
        `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                             metadata)
         SELECT 'payment', $1, max(version) + 1, gen_random_uuid(), $2, 1, $3, $4
           FROM events WHERE stream_id = $1`,
        [
          paymentId,
          type,
          { at: bench.clock.now(), requestId: 'rfr_1', amountMinor: 500, ...(data as object) },
          bench.metadata(`failed-refund-${index}`),
        ],
      );
    }
  };
  /** A worker acquires the lease of the projections. */
  const acquired = (projection: typeof paymentList) =>
    new Lease(bench.pool, 'projections', 'spec', 60_000, takeOver([projection])).acquire();
  const unpaid = async () =>
    (await bench.rows(CASE_TOTALS)).filter((row) => 'kind' in row && row.kind === 'unpaid_refund');

  test('is rebuilt only by a worker of the new release; then the failed refunds are listed as cases', async () => {
    const paymentId = await bench.requestIntent();
    await failedRefund(paymentId);
    await drain(
      bench.pool,
      new ProjectionRunner(bench.pool, reader, [projectionOfLastRelease as typeof paymentList]),
    );
    expect(await unpaid()).toEqual([]);
    await ask('payment_list');

    await bench.pool.query(LAST_RELEASE.next);
    const refusal = await bench.pool.query(LAST_RELEASE.begin).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      message:
        'payment_list is rebuilt by a process of a newer release: this one does not write ' +
        'rejected_captures, last_four, owed_refunds, lapses_at, authorized_at, expires_at, ' +
        'declined_at, decline_code, accepted_minor',
    });
    expect((refusal as { code: string }).code).not.toMatch(LAST_RELEASE.endsRequest);
    expect(await asked()).toMatchObject([{ ended: false, failure: null }]);

    expect(await requests.round()).toBe('more');
    expect(await asked()).toMatchObject([{ ended: true, failure: null }]);
    expect(await unpaid()).toMatchObject([{ cases: 1, amountMinor: 500 }]);
  });

  test('is rebuilt again when a worker of the new release takes over the projections from a worker of the last release', async () => {
    const older = projectionOfLastRelease as typeof paymentList;
    // Token 2 belongs to a worker of the last release, which stores no column list. Token 4 belongs
    // to a worker of an older release that stores its column list.
    const requestsAfter = async (token: string, projection: typeof paymentList) => {
      await bench.admin.query(
        `INSERT INTO leases (name, holder, token, expires_at)
         VALUES ('projections', 'before', $1::bigint - 1, clock_timestamp())
         ON CONFLICT (name) DO UPDATE SET token = excluded.token, expires_at = excluded.expires_at`,
        [token],
      );
      await acquired(projection);
      const { length } = await asked();
      await bench.admin.query('TRUNCATE projection_rebuilds');
      return length;
    };
    expect(await requestsAfter('1', paymentList)).toBe(0);
    expect(await requestsAfter('3', paymentList)).toBe(1);
    expect(await requestsAfter('4', older)).toBe(0);
    expect(await requestsAfter('5', paymentList)).toBe(1);
    expect(await requestsAfter('6', paymentList)).toBe(0);
  });

  test('is not rebuilt because a worker ended while it acquired the lease of the projections', async () => {
    for (const _worker of ['ended', 'next']) {
      await acquired(paymentList);
      await bench.admin.query('UPDATE leases SET expires_at = clock_timestamp()');
    }
    expect(await asked()).toEqual([]);
  });

  test('is not rebuilt by a worker that writes only a part of its columns', async () => {
    const older = rebuildProjection(
      bench.pool,
      reader,
      projectionOfLastRelease as typeof paymentList,
    );
    await expect(older).rejects.toThrow('this one does not write owed_refunds');
  });
});
