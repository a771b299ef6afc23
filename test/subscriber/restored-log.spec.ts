import {
  type Feed,
  FeedUnavailable,
  type LockedStream,
  PostgresStore,
  type StreamRef,
  type StreamState,
} from 'payment-orchestrator-subscriber';
import type { PoolClient } from 'pg';
import type { RecordedEvent } from '#log';
import { BlockedStreams } from '../../packages/subscriber/blocked-streams.js';
import { noCounts } from '../../packages/subscriber/counts.js';
import { decodeMessage } from '../../packages/subscriber/decode.js';
import { Intake } from '../../packages/subscriber/intake.js';
import { eventOf, type Harness, history, never, refOf, startHarness, upTo } from './harness.js';

/**
 * After a restore of the orchestrator's database that loses seconds, the log lacks events that a
 * subscriber has handled, and different events get their versions.
 */

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.end());

/** A store that was written in JavaScript for an earlier release, which had no event ids. */
class StoreWithoutIds extends PostgresStore {
  override async read(...args: Parameters<PostgresStore['read']>) {
    const states = await super.read(...args);
    return new Map([...states].map(([key, state]) => [key, withoutId(state)]));
  }

  override transaction<T>(
    stream: StreamRef,
    work: (stream: LockedStream<PoolClient>) => Promise<T>,
  ) {
    return super.transaction(stream, (locked) =>
      work(
        Object.create(locked, {
          state: { value: withoutId(locked.state) },
        }) as LockedStream<PoolClient>,
      ),
    );
  }
}

const withoutId = ({ version, block }: StreamState) => ({ version, block }) as StreamState;

class Gate {
  open = (): void => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** A feed that reads the events of `log`, which a spec changes, and counts its reads. */
const feedOf = (log: { events: readonly RecordedEvent[]; reads: number }): Feed => ({
  read: ({ streamId }, version) => {
    log.reads += 1;
    const found = log.events.find((one) => one.streamId === streamId && one.version === version);
    return Promise.resolve(
      found === undefined ? null : decodeMessage(harness.encode(found), 'order'),
    );
  },
});

const subscriber = (confirm?: Feed, before?: (text: string) => void) => {
  const parts = harness.intake('restored', before, undefined, confirm);
  const { intake, store } = parts;
  const blocked = new BlockedStreams(store, intake.work, intake.patience);
  return {
    ...parts,
    blocked,
    retry: (events: readonly RecordedEvent[]) => blocked.retry(refOf(events), never),
    discard: (events: readonly RecordedEvent[], version: number) =>
      blocked.discard({ ...refOf(events), version }, 'compared by hand', never),
  };
};

/** The history after a restore: `lost` and all later events have different ids and texts. */
const restored = (events: readonly RecordedEvent[], lost: number): readonly RecordedEvent[] =>
  events.map((event) =>
    event.version < lost
      ? event
      : eventOf(event.streamId, event.version, `new ${event.version}`, {
          eventId: `${event.eventId}-new`,
        }),
  );

const discards = async () => {
  const { rows } = await harness.pool.query(
    'SELECT version, event, reason FROM subscriber_discards ORDER BY version',
  );
  return rows;
};

describe.each([
  ['with `confirm`', true],
  ['without `confirm`', false],
])('%s', (_what, confirms) => {
  const start = (events: readonly RecordedEvent[]) => {
    const log = { events, reads: 0 };
    return { ...subscriber(confirms ? feedOf(log) : undefined), log };
  };

  test('a different event at the last handled version blocks its stream, and no handler gets it', async () => {
    const events = history(...upTo(5).map(String));
    const { take, counts, blocked, log } = start(events);
    await take(events.slice(0, 4));
    log.events = restored(events, 4);
    await take(log.events);
    expect(await harness.effects(events)).toEqual(['1', '2', '3', '4']);
    expect(counts).toMatchObject({ handled: 4, repeated: 3, blocked: 1, kept: 2 });
    expect(await blocked.list()).toMatchObject([
      {
        version: 4,
        reason: 'diverged',
        type: 'OrderFailed',
        error: expect.stringContaining('restored'),
      },
    ]);
  });

  test('a diverged stream is continued only by a discard, after people compared its history', async () => {
    const events = history(...upTo(6).map(String));
    const { take, retry, discard, blocked, log } = start(events);
    await take(events.slice(0, 4));
    log.events = restored(events, 4);
    await take(log.events.slice(0, 5));
    await take(log.events.slice(3, 5));
    expect(await retry(events)).toMatchObject({ version: 4, reason: 'diverged', times: 1 });
    await blocked.resume(never);
    expect(await harness.effects(events)).toEqual(['1', '2', '3', '4']);
    expect(await discard(events, 4)).toBeNull();
    await take(log.events);
    expect(await harness.effects(events)).toEqual(['1', '2', '3', '4', 'new 5', 'new 6']);
    expect(await discards()).toMatchObject([
      { version: 4, event: { id: `${events[3]?.eventId}-new` }, reason: 'compared by hand' },
    ]);
  });

  test('the stored events of the lost history are deleted', async () => {
    const events = history(...upTo(6).map(String));
    const log = { events, reads: 0 };
    const { take, discard } = subscriber(confirms ? feedOf(log) : undefined, (text) => {
      if (text === '5') throw new Error('poison');
    });
    await take(events);
    log.events = restored(events, 4);
    await take(log.events);
    expect(await discard(events, 4)).toBeNull();
    expect(await harness.effects(events)).toEqual(['1', '2', '3', '4', 'new 5', 'new 6']);
  });

  test('a stored event that the log has lost is replaced by the event that the log has instead', async () => {
    const events = history(...upTo(6).map(String));
    const log = { events, reads: 0 };
    const { take, discard } = subscriber(confirms ? feedOf(log) : undefined, (text) => {
      if (text === '4') throw new Error('poison');
    });
    await take(events);
    log.events = restored(events, 6);
    await take(log.events);
    expect(await discard(events, 4)).toBeNull();
    expect(await harness.effects(events)).toEqual(['1', '2', '3', '5', 'new 6']);
  });

  test('a version that was discarded before the restore can be discarded again after it', async () => {
    const events = history(...upTo(4).map(String));
    const log = { events, reads: 0 };
    const { take, discard } = subscriber(confirms ? feedOf(log) : undefined, (text) => {
      if (text === '4') throw new Error('poison');
    });
    await take(events);
    expect(await discard(events, 4)).toBeNull();
    log.events = restored(events, 4);
    await take(log.events);
    expect(await discard(events, 4)).toBeNull();
    expect(await discards()).toMatchObject([{ version: 4 }, { version: 4 }]);
  });

  test('events that are published again with their ids change nothing, and are not read again', async () => {
    const events = history(...upTo(4).map(String));
    const { take, counts, log } = start(events);
    await take(events);
    const { reads } = log;
    await take(events);
    await take(events.slice(3));
    expect(log.reads).toBe(reads);
    expect(counts).toMatchObject({ handled: 4, repeated: 5, blocked: 0 });
  });

  test('a stream of which no event id is stored yet does not diverge', async () => {
    const events = history(...upTo(4).map(String));
    const { take, counts, log } = start(events);
    await take(events.slice(0, 3));
    // A process of an earlier release handles the next event.
    await harness.pool.query('UPDATE subscriber_streams SET version = 4');
    await take(restored(events, 3));
    expect(counts).toMatchObject({ handled: 3, repeated: 4, blocked: 0 });
    expect(log.events).toHaveLength(4);
  });
});

test('without `confirm`, no lost event is handled after the missing event before it arrives', async () => {
  const events = history(...upTo(6).map(String));
  const { take, counts, blocked } = subscriber();
  await take([...events.slice(0, 2), ...events.slice(3)]);
  expect(await blocked.list()).toMatchObject([{ version: 3, reason: 'gap' }]);
  await take(restored(events, 5).slice(0, 5));
  expect(await harness.effects(events)).toEqual(['1', '2', '3', '4', 'new 5']);
  expect(await blocked.list()).toEqual([]);
  expect(counts).toMatchObject({ handled: 5, blocked: 1 });
});

test('a log that ends before the last handled version blocks the stream at its end, and a discard continues after it', async () => {
  const events = history(...upTo(6).map(String));
  const log = { events, reads: 0 };
  const { take, blocked, discard, counts } = subscriber(feedOf(log));
  await take(events);
  const after = restored(events, 4);
  log.events = after.slice(0, 4);
  // The republished history may arrive in several batches.
  await take(after.slice(0, 2));
  await take(after.slice(2, 4));
  expect(await blocked.list()).toMatchObject([{ version: 4, reason: 'diverged' }]);
  log.events = after.slice(0, 5);
  await take(after.slice(4, 5));
  expect(await discard(events, 4)).toBeNull();
  log.events = after;
  await take(after.slice(5));
  expect(await harness.effects(events)).toEqual([...upTo(6).map(String), 'new 5', 'new 6']);
  expect(counts).toMatchObject({ handled: 8, blocked: 1, kept: 2 });
});

test.each([
  ['its stream is tried again by itself', 'resume'],
  ['its next messages arrive', 'take'],
  ['it is retried by an operator', 'retry'],
] as const)(
  'with `confirm`, a blocked stream whose last handled event is lost diverges when %s',
  async (_when, by) => {
    const events = history(...upTo(5).map(String));
    const log = { events, reads: 0 };
    const feed = feedOf(log);
    let isReadable = false;
    const { take, blocked, retry, discard } = subscriber({
      read: (stream, version, signal) => {
        if (version === 5 && !isReadable) throw new FeedUnavailable('the feed answered 503');
        return feed.read(stream, version, signal);
      },
    });
    await take(events);
    expect(await blocked.list()).toMatchObject([{ version: 5, reason: 'feed' }]);
    log.events = restored(events, 4);
    isReadable = true;
    if (by === 'resume') await blocked.resume(never);
    if (by === 'take') await take(log.events);
    if (by === 'retry') await retry(events);
    expect(await harness.effects(events)).toEqual(['1', '2', '3', '4']);
    expect(await blocked.list()).toMatchObject([{ version: 4, reason: 'diverged', times: 1 }]);
    await take(log.events);
    expect(await discard(events, 4)).toBeNull();
    expect(await harness.effects(events)).toEqual(['1', '2', '3', '4', 'new 5']);
  },
);

test('with `confirm`, a failed event is retried only if the log still has the event before it', async () => {
  const events = history(...upTo(5).map(String));
  const log = { events, reads: 0 };
  const { take, retry } = subscriber(feedOf(log), (text) => {
    if (text === '5') throw new Error('poison');
  });
  await take(events);
  log.events = restored(events, 4);
  expect(await retry(events)).toMatchObject({ version: 4, reason: 'diverged' });
  expect(await harness.effects(events)).toEqual(['1', '2', '3', '4']);
});

test.each([
  ['has read', 'a lost event'],
  ['could not read', 'an event'],
])(
  'a stream that diverges stays so when another process %s %s of it from the log',
  async (what) => {
    const events = history(...upTo(6).map(String));
    const log = { events, reads: 0 };
    const feed = feedOf(log);
    let isPoison = true;
    const [reading, release] = [new Gate(), new Gate()];
    const slow = subscriber(
      {
        read: async (stream, version, signal) => {
          const event = await feed.read(stream, version, signal);
          if (version !== 6 || isPoison) return event;
          reading.open();
          await release.opened;
          if (what === 'could not read') throw new FeedUnavailable('the feed answered 503');
          return event;
        },
      },
      (text) => {
        if (text === '5' && isPoison) throw new Error('poison');
      },
    );
    await slow.take(events);
    isPoison = false;
    const retried = slow.retry(events);
    await reading.opened;
    log.events = restored(events, 5);
    const { take, discard, blocked } = subscriber(feed);
    await take(log.events);
    release.open();
    expect(await retried).toMatchObject({ version: 5, reason: 'diverged', times: 2 });
    expect(await blocked.list()).toHaveLength(1);
    expect(await discard(events, 5)).toBeNull();
    expect(await harness.effects(events)).toEqual([...upTo(5).map(String), 'new 6']);
  },
);

test('a gap in the messages is filled from the log only if the log has the last handled event', async () => {
  const events = history(...upTo(6).map(String));
  const log = { events, reads: 0 };
  const { take, blocked } = subscriber(feedOf(log));
  await take(events.slice(0, 4));
  log.events = restored(events, 4);
  await take(log.events.slice(5));
  expect(await harness.effects(events)).toEqual(['1', '2', '3', '4']);
  expect(await blocked.list()).toMatchObject([{ version: 4, reason: 'diverged' }]);
});

test('with `confirm`, a forged message at the last handled version blocks nothing', async () => {
  const events = history('1', '2');
  const { take, counts } = subscriber(feedOf({ events, reads: 0 }));
  await take(events);
  await take(restored(events, 2).slice(1));
  expect(counts).toMatchObject({ handled: 2, repeated: 1, blocked: 0 });
});

test('an API key that can no longer read a stream does not make the stream diverge', async () => {
  const events = history('1', '2', '3');
  const log = { events, reads: 0 };
  const { take, counts } = subscriber(feedOf(log));
  await take(events);
  log.events = [];
  await take(events.slice(0, 2));
  expect(counts).toMatchObject({ handled: 3, repeated: 2, blocked: 0 });
});

test.each([
  ['with `confirm`', true],
  ['without `confirm`', false],
])(
  '%s, a store of an earlier release, which returns no event ids, does not make streams diverge',
  async (_what, confirms) => {
    const events = history(...upTo(3).map(String));
    const counts = noCounts();
    const intake = new Intake({
      store: new StoreWithoutIds(harness.pool, 'restored'),
      feed: confirms ? feedOf({ events, reads: 0 }) : null,
      counts,
      logger: harness.logger,
      handlers: { OrderFailed: () => Promise.resolve() },
    });
    for (const part of [events.slice(0, 2), events.slice(0, 2), events.slice(1)]) {
      await intake.take(
        part.map((event) => decodeMessage(harness.encode(event), 'order')),
        never,
      );
    }
    expect(counts).toMatchObject({ handled: 3, blocked: 0 });
  },
);

test('`prepare` upgrades the tables of an earlier release, whose streams continue', async () => {
  await harness.pool.query(`
    ALTER TABLE subscriber_streams DROP COLUMN event_id, DROP COLUMN event_id_version;
    ALTER TABLE subscriber_discards
      ADD CONSTRAINT subscriber_discards_pkey
      PRIMARY KEY (subscriber, stream_type, stream_id, version);
  `);
  const events = history('1', '2', '3');
  await harness.pool.query(
    `INSERT INTO subscriber_streams (subscriber, stream_type, stream_id, version)
     VALUES ('restored', 'order', $1, 2)`,
    [refOf(events).streamId],
  );
  const store = new PostgresStore(harness.pool, 'restored');
  await Promise.all([store.prepare(), store.prepare()]);
  const { take, counts, blocked } = subscriber();
  await take(events);
  expect(await harness.effects(events)).toEqual(['3']);
  await take(restored(events, 3));
  expect(counts).toMatchObject({ handled: 1, repeated: 2 + 2, blocked: 1, kept: 1 });
  expect(await blocked.list()).toMatchObject([{ version: 3, reason: 'diverged' }]);
});
