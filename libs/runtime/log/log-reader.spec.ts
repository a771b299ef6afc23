import { newEventId, parseInstant } from '#kernel';
import { waitFor } from '#testing';
import type { PoolClient } from 'pg';
import {
  count,
  counter,
  lendLogDatabases,
  metadata,
  openTestLog,
  type TestLog,
} from './counter.fixture.js';
import { EventStore } from './event-store.js';
import { PostgresLog } from './log-storage.js';
import { ForeignLog, noteRestore, rebaseLog, requireOwnLog } from './log-identity.js';
import { LogReader, READ_PLATFORM } from './log-reader.js';
import { isAfter, LOG_START, type LogCursor } from './stream.js';

const databases = lendLogDatabases();
let log: TestLog;
let store: EventStore;
let reader: LogReader;

beforeEach(async () => {
  log = await openTestLog(databases);
  store = new EventStore(new PostgresLog(log.pool), counter.upcasters, null);
  reader = new LogReader(log.pool, counter.upcasters);
});
afterEach(() => log.close());

const names = (events: Awaited<ReturnType<LogReader['readAfter']>>): string[] =>
  events.map(({ streamId, version }) => `${streamId}/${version}`);

/**
 * Reads repeatedly until `total` events can be read, because transactions of other specs on the
 * same server delay log consumers.
 */
const readUpTo = async (total: number, cursor: LogCursor = LOG_START) => {
  let events = await reader.readAfter(cursor, 100);
  await waitFor(async () => {
    events = await reader.readAfter(cursor, 100);
    return events.length >= total;
  });
  return events;
};

const insertByHand = (client: PoolClient, streamId: string, version: number) =>
  client.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
     VALUES ('order', $1, $2, $3, 'Counted', 1, '{"by": 1}', $4)`,
    [streamId, version, newEventId(), metadata],
  );

test('the log reader continues from its cursor, in chunks', async () => {
  for (const id of ['a', 'b', 'c']) await store.execute(counter, id, count(), metadata);
  await readUpTo(3);
  const first = await reader.readAfter(LOG_START, 2);
  expect(names(first)).toEqual(['a/1', 'b/1']);
  const rest = await reader.readAfter(first.at(-1)?.cursor ?? LOG_START, 2);
  expect(names(rest)).toEqual(['c/1']);
  expect(await reader.readAfter(rest.at(-1)?.cursor ?? LOG_START, 2)).toEqual([]);
});

test('the log reader waits for a running transaction, and then reads all its events', async () => {
  const slow = await log.admin.connect();
  await slow.query('BEGIN');
  await insertByHand(slow, 'slow', 1);
  await store.execute(counter, 'fast', count(), metadata);
  expect(await reader.readAfter(LOG_START, 10)).toEqual([]);
  await slow.query('COMMIT');
  slow.release();
  expect(names(await readUpTo(2))).toEqual(['slow/1', 'fast/1']);
});

test('a gap that a failed transaction leaves in the positions does not delay the log reader', async () => {
  const failing = await log.admin.connect();
  await failing.query('BEGIN');
  await insertByHand(failing, 'never', 1);
  await store.execute(counter, 'after', count(), metadata);
  await failing.query('ROLLBACK');
  failing.release();
  expect(names(await readUpTo(1))).toEqual(['after/1']);
});

describe('the order of transaction ids', () => {
  /**
   * Simulates a transaction that writes before it acquires its lock. Its transaction id is then
   * lower than that of an earlier commit, which the database function `commit_steps` must prevent.
   */
  const writeBeforeLocking = async (first: string): Promise<LogCursor> => {
    const early = await log.admin.connect();
    await early.query('BEGIN');
    await insertByHand(early, 'other', 1);
    await store.execute(counter, first, count(), metadata);
    await insertByHand(early, first, 2);
    await early.query('COMMIT');
    early.release();
    return LOG_START;
  };

  test('differs from the order of the events in their stream if a transaction writes before it has acquired its locks', async () => {
    const start = await writeBeforeLocking('s');
    expect(names(await readUpTo(3, start))).toEqual(['other/1', 's/2', 's/1']);
  });

  test('equals the order of the events in their stream for all writes of the event store', async () => {
    const stores = [
      store,
      new EventStore(new PostgresLog(log.pool), counter.upcasters, null),
      new EventStore(new PostgresLog(log.pool), counter.upcasters, null),
    ];
    const work = Array.from({ length: 60 }, (_, n) =>
      stores[n % 3]?.step(metadata, async (step) => {
        await step.execute(counter, `s${n % 4}`, count());
        await step.execute(counter, `s${(n + 1) % 4}`, count());
      }),
    );
    await Promise.all(work);
    await waitFor(async () => (await reader.readAfter(LOG_START, 200)).length === 120);
    const seen = new Map<string, number>();
    let cursor = LOG_START;
    for (;;) {
      const events = await reader.readAfter(cursor, 7);
      const last = events.at(-1);
      if (!last) break;
      for (const { streamId, version } of events) {
        expect(version).toBe((seen.get(streamId) ?? 0) + 1);
        seen.set(streamId, version);
      }
      cursor = last.cursor;
    }
    expect([...seen.values()].reduce((sum, versions) => sum + versions, 0)).toBe(120);
  });
});

describe('a log that was restored on another server', () => {
  /**
   * Simulates a restore on another server: the rows contain higher transaction ids than the
   * server's.
   */
  const restore = async (): Promise<void> => {
    for (const id of ['a', 'b']) await store.execute(counter, id, count(), metadata);
    await log.admin.query(`UPDATE events SET transaction_id = '900000000000'`);
    await log.admin.query(`UPDATE log_identity SET system_identifier = '1'`);
  };

  test('is rejected until `rebaseLog` was called', async () => {
    await restore();
    await expect(requireOwnLog(log.pool)).rejects.toThrow(ForeignLog);
    await expect(requireOwnLog(log.pool)).rejects.toThrow('npm run log:rebase');
    await rebaseLog(log.admin);
    await requireOwnLog(log.pool);
  });

  test('continues after the rebase, and new events are read after all old ones', async () => {
    await restore();
    await rebaseLog(log.admin);
    const old = await readUpTo(2);
    expect(names(old)).toEqual(['a/1', 'b/1']);
    await store.execute(counter, 'a', count(), metadata);
    expect(names(await readUpTo(1, old.at(-1)?.cursor))).toEqual(['a/2']);
    expect(names(await readUpTo(3))).toEqual(['a/1', 'b/1', 'a/2']);
  });
});

describe('a log that was restored on its own server', () => {
  /** Simulates a restore to an earlier time: the server is on another timeline. */
  const restore = async (): Promise<void> => {
    await log.admin.query(`UPDATE log_identity SET incarnation = 'before'`);
    await requireOwnLog(log.pool);
  };
  const epochNow = async (): Promise<number> => {
    const { rows } = await log.admin.query<{ epoch: number }>('SELECT epoch FROM log_identity');
    return rows[0]?.epoch ?? 0;
  };
  /** A position that a reader has reached in the lost time. */
  const lostIn = (epoch: number): LogCursor => ({
    epoch,
    transactionId: '900000000000',
    position: '1',
  });

  test('has new events after every position of the lost time', async () => {
    await store.execute(counter, 'a', count(), metadata);
    const lost = lostIn(await epochNow());
    await restore();
    await store.execute(counter, 'a', count(), metadata);
    expect(names(await readUpTo(1, lost))).toEqual(['a/2']);
    expect(names(await readUpTo(2))).toEqual(['a/1', 'a/2']);
  });

  test('has new events after the lost time even if an epoch began in the lost time', async () => {
    const backup = await epochNow();
    await restore();
    const anHourAgo = (await epochNow()) - 60;
    await log.admin.query('UPDATE log_identity SET epoch = $1', [backup]);
    await restore();
    await store.execute(counter, 'a', count(), metadata);
    expect(names(await readUpTo(1, lostIn(anHourAgo)))).toEqual(['a/1']);
  });

  test('has a commit in the new epoch that waited until an operator had recorded the restore', async () => {
    const recording = await log.admin.connect();
    await recording.query('BEGIN');
    await noteRestore(recording);
    const committed = store.execute(counter, 'a', count(), metadata);
    const isWaiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass`;
    await waitFor(async () => (await log.admin.query(isWaiting)).rowCount === 1);
    await recording.query('COMMIT');
    recording.release();
    await committed;
    const [event] = await readUpTo(1);
    expect(event?.cursor.epoch).toBe(await epochNow());
  });
});

describe('the events of a platform', () => {
  /** Appends events of one platform, in one transaction. */
  const insertMany = (platformId: string, streamId: string, events: number) =>
    log.admin.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
       SELECT 'order', $1, n, gen_random_uuid(), 'Counted', 1, '{"by": 1}', $2
         FROM generate_series(1, $3::int) n`,
      [streamId, { ...metadata, platformId }, events],
    );
  const pageAfter = (after: LogCursor, limit: number, merchantId?: string) =>
    reader.readPlatform('shop', { merchantId }, after, limit);

  test('are read in pages, and the last page ends at the end of the log', async () => {
    await insertMany('shop', 'a', 3);
    await insertMany('other', 'b', 3);
    await readUpTo(6);
    const first = await pageAfter(LOG_START, 2);
    expect(names(first.events)).toEqual(['a/1', 'a/2']);
    expect(first).toMatchObject({ isEnd: false, isBlocked: false });
    const second = await pageAfter(first.next, 1);
    expect(names(second.events)).toEqual(['a/3']);
    expect(second.isEnd).toBe(true);
    expect(await pageAfter(second.next, 1)).toMatchObject({ events: [], isEnd: true });
  });

  test('are followed from the newest event, not from a transaction id that PostgreSQL assigns again after a crash', async () => {
    await insertMany('shop', 'a', 1);
    await insertMany('other', 'b', 1);
    const newest = (await readUpTo(2)).at(-1)?.cursor;
    // The ids of these transactions are not on the disk, because the transactions write nothing.
    for (let n = 0; n < 5; n += 1) await log.admin.query('SELECT pg_current_xact_id()');
    expect((await pageAfter(LOG_START, 10)).next).toEqual(newest);
    const { bound } = await reader.end();
    expect(isAfter(bound, newest ?? bound)).toBe(true);
    // Releases before 0.3 returned `bound` as the next position.
    expect(await pageAfter(bound, 10)).toMatchObject({ events: [], next: newest });
  });

  test('that match a filter may follow after an empty page, because a page reads at most 1,000 events', async () => {
    await insertMany('shop', 'a', 1_200);
    await log.admin.query(
      `UPDATE events SET metadata = $1 WHERE stream_id = 'a' AND version = 1100`,
      [{ ...metadata, platformId: 'shop', merchantId: 'mer_1' }],
    );
    await waitFor(async () => (await reader.readAfter(LOG_START, 2_000)).length === 1_200);
    const first = await pageAfter(LOG_START, 10, 'mer_1');
    expect(first).toMatchObject({ events: [], isEnd: false });
    const second = await pageAfter(first.next, 10, 'mer_1');
    expect(names(second.events)).toEqual(['a/1100']);
    expect(second.isEnd).toBe(true);
  });

  describe('from a time on', () => {
    /** The n-th of the platform's transactions, which are a day apart. */
    const dayOf = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
    const insertDays = async (from: number, to: number, epoch = 1) => {
      for (let n = from; n <= to; n += 1) {
        await log.admin.query(
          `INSERT INTO events (epoch, stream_type, stream_id, version, event_id, type,
                               schema_version, data, metadata)
           SELECT $1, 'order', $2, v, gen_random_uuid(), 'Counted', 1,
                  json_build_object('by', 1, 'at', $3::text), $4
             FROM generate_series(1, 2) v`,
          [epoch, `day-${n}`, dayOf(n), { ...metadata, platformId: 'shop' }],
        );
      }
    };
    const firstSince = async (since: string) => {
      const start = await reader.startOf('shop', parseInstant(since));
      const [first] = (await reader.readPlatform('shop', {}, start, 1)).events;
      return first === undefined ? null : `${first.streamId}/${first.version}`;
    };

    test.each([
      ['before the first event', dayOf(0), 'day-1/1'],
      ['between two events', '2026-01-07T12:00:00.000Z', 'day-7/1'],
      ['exactly the time of an event', dayOf(20), 'day-19/1'],
      ['after the last event', dayOf(99), 'day-40/1'],
    ])('%s, begin at most one transaction earlier', async (_, since, first) => {
      await insertDays(1, 40);
      await readUpTo(80);
      expect(await firstSince(since)).toBe(first);
    });

    test('include an event whose time is some minutes before that of earlier events', async () => {
      await insertDays(1, 10);
      await log.admin.query(
        `UPDATE events SET data = '{"by": 1, "at": "2026-01-05T00:30:00.000Z"}'
          WHERE stream_id = 'day-4' AND version = 1`,
      );
      await readUpTo(20);
      expect(await firstSince('2026-01-05T00:15:00.000Z')).toBe('day-3/1');
    });

    test('are found in a log that was restored, whose transaction ids begin again', async () => {
      await insertDays(1, 9);
      await log.admin.query('UPDATE log_identity SET epoch = 2');
      await insertDays(10, 14, 2);
      await waitFor(async () => (await reader.readAfter(LOG_START, 100)).length === 28);
      expect(await firstSince('2026-01-03T12:00:00.000Z')).toBe('day-3/1');
      expect(await firstSince('2026-01-12T12:00:00.000Z')).toBe('day-12/1');
      expect(await firstSince(dayOf(10))).toBe('day-9/1');
    });
  });

  test('are read by the index of platforms, also in a long log of many platforms', async () => {
    await log.admin.query(
      `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data, metadata)
       SELECT 'order', 'of-' || p, n, gen_random_uuid(), 'Counted', 1, '{"by": 1}',
              json_build_object('platformId', 'p' || p)
         FROM generate_series(1, 50) p, generate_series(1, 400) n`,
    );
    await log.admin.query('ANALYZE events');
    const { rows } = await log.admin.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (GENERIC_PLAN) ${READ_PLATFORM}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('events_of_platform');
    expect(plan).not.toMatch(/Sort|events_in_reading_order/);
  });
});
