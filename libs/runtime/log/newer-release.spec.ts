import { parseInstant } from '#kernel';
import { waitFor } from '#testing';
import {
  count,
  counter,
  metadata,
  openTestLog,
  type TestLog,
  writeNewer,
} from './counter.fixture.js';
import { isNewer, type LogEntry } from './event-row.js';
import { EventStore } from './event-store.js';
import { LogReader } from './log-reader.js';
import { PostgresLog } from './log-storage.js';
import type { Saga } from './saga.js';
import { MAX_REACTION_ATTEMPTS } from './saga-instances.js';
import { LOG_START } from './stream.js';
import { UnknownEvent } from './upcast.js';
import { WaitingSagas } from './waiting-sagas.js';

/**
 * These specs simulate a process of an older release that runs beside a newer release, or after the
 * rollback of a newer release.
 */

let log: TestLog;
let store: EventStore;
beforeAll(async () => {
  log = await openTestLog();
  store = new EventStore(new PostgresLog(log.pool), counter.upcasters, null);
});
afterAll(() => log.close());

const counted = (id: string): Promise<unknown> => store.execute(counter, id, count(), metadata);

describe.each([
  ['of a type', { type: 'CountedTwice', schemaVersion: 1 }],
  ['of a schema version', { type: 'Counted', schemaVersion: 2 }],
])('an event %s that this release does not know', (what, written) => {
  const id = `newer ${what}`;
  beforeAll(async () => {
    await counted(id);
    await writeNewer(log.admin, id, 2, written);
    await counted(`beside ${what}`);
  });

  test('prevents its aggregate from being read or changed', async () => {
    const expected = { event: { streamType: 'order', streamId: id, version: 2, ...written } };
    await expect(store.load(counter, id)).rejects.toMatchObject(expected);
    await expect(counted(id)).rejects.toBeInstanceOf(UnknownEvent);
    await expect(
      store.readStream({ streamType: 'order', streamId: id }, 0, 9),
    ).rejects.toBeInstanceOf(UnknownEvent);
    const { rows } = await log.admin.query('SELECT FROM events WHERE stream_id = $1', [id]);
    expect(rows).toHaveLength(2);
  });

  test('does not block other aggregates that are read together with its aggregate', async () => {
    const fresh = new EventStore(new PostgresLog(log.pool), counter.upcasters, null);
    await fresh.recall(counter, [id, `beside ${what}`]);
    expect((await fresh.loadRecent(counter, `beside ${what}`)).state).toBe(1);
    await expect(fresh.loadRecent(counter, id)).rejects.toBeInstanceOf(UnknownEvent);
  });

  test('is returned to log consumers as an event that only a newer release can read', async () => {
    const reader = new LogReader(log.pool, counter.upcasters);
    const read = (): Promise<readonly LogEntry[]> => reader.readAfter(LOG_START, 100);
    // An open transaction of another spec on the server may delay log consumers for a moment.
    await waitFor(async () => (await read()).some(({ streamId }) => streamId === `beside ${what}`));
    const entries = await read();
    const newer = entries.find((entry) => entry.streamId === id && isNewer(entry));
    expect(newer).toMatchObject({ version: 2, metadata, ...written });
    expect(entries.some((entry) => entry.streamId === `beside ${what}`)).toBe(true);
  });
});

interface Sum {
  readonly total: number;
}

/** A saga of which a newer release has renamed the state's field `sum` to `total`. */
const summing = (release: 'old' | 'new'): Saga => ({
  name: 'sum',
  deadlines: [],
  ...(release === 'old'
    ? { initialState: { sum: 0 }, stateUpcasters: [] }
    : {
        initialState: { total: 0 },
        stateUpcasters: [({ sum, ...rest }) => ({ ...rest, total: sum })],
      }),
  keyOf: ({ streamType, type, metadata: { correlationId } }) =>
    streamType === 'order' && (type === 'Counted' || release === 'new') ? correlationId : null,
  react: (state) => {
    const next =
      release === 'old'
        ? { sum: (state as { sum: number }).sum + 1 }
        : { total: (state as Sum).total + 1 };
    return Promise.resolve({ state: next, done: false });
  },
});

const clock = { now: () => parseInstant('2030-03-01T12:00:00Z') };
const storeOf = (release: 'old' | 'new'): EventStore => {
  const upcasters =
    release === 'old' ? counter.upcasters : { ...counter.upcasters, CountedTwice: [] };
  return new EventStore(new PostgresLog(log.pool), upcasters, { sagas: [summing(release)], clock });
};
const countIn = (release: 'old' | 'new', key: string): Promise<unknown> =>
  storeOf(release).execute(counter, key, count(), { ...metadata, correlationId: key });

describe('the state of a workflow', () => {
  let waiting: WaitingSagas;
  beforeAll(() => {
    waiting = new WaitingSagas(log.pool);
  });

  test('is upcast if an older release saved it', async () => {
    await countIn('old', 's1');
    await countIn('new', 's1');
    expect((await store.loadSaga('sum', 's1')).state).toEqual({ total: 2, stateVersion: 2 });
  });

  test('that a newer release saved blocks only this workflow, which loses no event', async () => {
    await countIn('new', 's2');
    await countIn('old', 's2');
    await countIn('old', 's2');
    await countIn('old', 's2-other');
    const { state } = await store.loadSaga('sum', 's2');
    expect(state).toEqual({ total: 1, stateVersion: 2 });
    const ref = { saga: 'sum', key: 's2' };
    expect(await waiting.get(ref)).toMatchObject({
      waiting: 2,
      event: { version: 2 },
      error: expect.stringContaining('does not know version 2'),
    });
    expect((await store.loadSaga('sum', 's2-other')).waiting).toBeNull();
    await storeOf('new').retryReactions('sum', 's2');
    expect(await store.loadSaga('sum', 's2')).toMatchObject({
      state: { total: 3, stateVersion: 2 },
      waiting: null,
    });
  });

  test('that a newer release saved leads to unlimited retries by an older release, and needs no operator', async () => {
    await countIn('new', 's3');
    await countIn('old', 's3');
    for (let tries = 1; tries <= MAX_REACTION_ATTEMPTS; tries += 1) {
      await storeOf('old').retryReactions('sum', 's3');
    }
    const found = await waiting.get({ saga: 'sum', key: 's3' });
    expect(found.attempts).toBeGreaterThan(MAX_REACTION_ATTEMPTS);
    expect(found.retryAt).not.toBeNull();
  });

  test('keeps its queued events if only a newer release of the workflow can react to them', async () => {
    await countIn('old', 's4');
    await writeNewer(log.admin, 's4', 2, { type: 'CountedTwice', schemaVersion: 1 }, 's4');
    const old = new EventStore(
      new PostgresLog(log.pool),
      {
        ...counter.upcasters,
        CountedTwice: [],
      },
      { sagas: [summing('old')], clock },
    );
    await log.admin.query(
      `UPDATE sagas SET retry_at = now(), failing_since = now(), waiting = '{"attempts": 1,
              "error": "", "stimuli": [{"from": "event", "streamType": "order", "streamId": "s4",
                                        "version": 2}]}' WHERE key = 's4'`,
    );
    await old.retryReactions('sum', 's4');
    expect(await waiting.get({ saga: 'sum', key: 's4' })).toMatchObject({
      attempts: 2,
      error: expect.stringContaining('does not react'),
    });
    await storeOf('new').retryReactions('sum', 's4');
    expect((await store.loadSaga('sum', 's4')).waiting).toBeNull();
  });
});
