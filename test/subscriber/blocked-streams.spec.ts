import { setTimeout as sleep } from 'node:timers/promises';
import { NotBlocked, PostgresStore } from 'payment-orchestrator-subscriber';
import { waitFor } from '#testing';
import { BlockedStreams } from '../../packages/subscriber/blocked-streams.js';
import { noCounts } from '../../packages/subscriber/counts.js';
import { decodeMessage } from '../../packages/subscriber/decode.js';
import { Intake } from '../../packages/subscriber/intake.js';
import {
  type Harness,
  history,
  never,
  refOf,
  lendServiceDatabases,
  startHarness,
  streamIdOf,
  upTo,
} from './harness.js';

const databases = lendServiceDatabases();
let harness: Harness;
beforeEach(async () => {
  harness = await startHarness(databases);
});
afterEach(() => harness.end());

/** A subscriber whose handler fails for each event with a text in the set `poison`. */
const fragile = () => {
  const poison = new Set<string>();
  const parts = harness.intake('fragile', (text) => {
    if (poison.has(text)) throw new Error(`${text} is poison`);
  });
  const { intake, store } = parts;
  const blocked = new BlockedStreams(store, intake.work, intake.patience);
  return {
    ...parts,
    poison,
    blocked,
    retry: (events: Parameters<typeof refOf>[0]) => blocked.retry(refOf(events), never),
    discard: (events: Parameters<typeof refOf>[0], version: number, reason = 'not needed') =>
      blocked.discard({ ...refOf(events), version }, reason, never),
  };
};

const discards = async () => {
  const { rows } = await harness.pool.query(
    'SELECT stream_id, version, event, error, reason FROM subscriber_discards',
  );
  return rows;
};

const keptCount = async (): Promise<number> => {
  const { rowCount } = await harness.pool.query('SELECT FROM subscriber_kept_events');
  return rowCount ?? 0;
};

test('an event whose handler keeps failing blocks its stream, and no other stream', async () => {
  const { take, poison, blocked, counts, retry } = fragile();
  poison.add('bad');
  const sick = history('good', 'bad', 'later', 'last');
  const sound = history('one', 'two');
  await take([...sick.slice(0, 3), ...sound]);
  expect(await harness.effects(sick)).toEqual(['good']);
  expect(await harness.effects(sound)).toEqual(['one', 'two']);
  expect(counts).toMatchObject({ handled: 3, blocked: 1, kept: 1 });
  expect(await blocked.list()).toMatchObject([
    {
      streamType: 'order',
      streamId: streamIdOf(sick),
      version: 2,
      reason: 'failed',
      type: 'OrderFailed',
      times: 1,
      error: expect.stringContaining('bad is poison'),
    },
  ]);

  expect(await retry(sick)).toMatchObject({ version: 2, times: 2 });
  poison.clear();
  await take(sick.slice(3));
  expect(await harness.effects(sick)).toEqual(['good']);
  expect(await retry(sick)).toBeNull();
  expect(await harness.effects(sick)).toEqual(['good', 'bad', 'later', 'last']);
  expect(await blocked.list()).toEqual([]);
  expect(await keptCount()).toBe(0);
});

test.each([
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  [
    'a host name that cannot be resolved',
    Object.assign(new Error('lookup'), { code: 'ENOTFOUND' }),
  ],
  ['a timeout of another database', new Error('Query read timeout')],
  ['a full disk', Object.assign(new Error('full'), { code: '53100' })],
  ['a deadlock', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
])(
  'an event whose handler keeps failing because of %s blocks only the event’s stream',
  async (_what, error) => {
    let tries = 0;
    const { take, store, counts } = harness.intake('own', (text) => {
      if (text !== 'bad') return;
      tries += 1;
      throw error;
    });
    const sick = history('bad', 'later');
    const sound = history('one', 'two');
    await take([...sick, ...sound], AbortSignal.timeout(4_000));
    expect(tries).toBe(5);
    expect(counts).toMatchObject({ handled: 2, blocked: 1, kept: 1 });
    expect(await harness.effects(sound)).toEqual(['one', 'two']);
    expect(await store.blocked()).toMatchObject([
      {
        streamId: streamIdOf(sick),
        version: 1,
        reason: 'failed',
        error: expect.stringContaining(error.message),
      },
    ]);
  },
);

test('a statement of the handler that fails in the handler’s transaction counts as a failed attempt', async () => {
  const events = history('1');
  const counts = noCounts();
  const intake = new Intake({
    store: new PostgresStore(harness.pool, 'stated'),
    feed: null,
    counts,
    logger: harness.logger,
    handlers: {
      OrderFailed: async (_event, tx) => {
        await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'busy' USING ERRCODE = '40P01'; END $$`);
      },
    },
  });
  const [first] = events.map((event) => decodeMessage(harness.encode(event), 'order'));
  if (!first) throw new Error('the handler received an event');
  await intake.take([first], AbortSignal.timeout(4_000));
  expect(counts).toMatchObject({ handled: 0, blocked: 1 });
});

test('a database connection lost while the handler runs counts as an outage, whatever the handler throws', async () => {
  let lost = 0;
  const { take, counts } = harness.intake('lost', async () => {
    if (lost === 8) return;
    lost += 1;
    await harness.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    await sleep(20);
    throw new TypeError('what the handler made of it');
  });
  const events = history('1');
  await take(events);
  expect(await harness.effects(events)).toEqual(['1']);
  expect(counts).toMatchObject({ handled: 1, blocked: 0 });
});

/** A store that is unavailable once after each loss, as PostgreSQL is while it recovers. */
class RecoveringStore extends PostgresStore {
  isRecovering = false;

  override read(...args: Parameters<PostgresStore['read']>) {
    return this.recover() ?? super.read(...args);
  }

  override transaction<T>(
    ...[stream, work]: Parameters<typeof PostgresStore.prototype.transaction<T>>
  ) {
    return this.recover() ?? super.transaction(stream, work);
  }

  private recover(): Promise<never> | null {
    if (!this.isRecovering) return null;
    this.isRecovering = false;
    return Promise.reject(Object.assign(new Error('in recovery mode'), { code: '57P03' }));
  }
}

const END_OWN_CONNECTION = 'SELECT pg_terminate_backend(pg_backend_pid())';
const END_OWN_CONNECTION_AT_COMMIT = `
  CREATE FUNCTION pg_temp.end_own_connection() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(1); RETURN NULL; END';
  CREATE TEMPORARY TABLE ending (id integer);
  CREATE CONSTRAINT TRIGGER ending AFTER INSERT ON ending INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION pg_temp.end_own_connection();
  INSERT INTO ending VALUES (1)`;

test.each([
  ['if the handler rejects', 'rejects'],
  ['if the handler ignores it', 'ignores'],
  ['if the commit does it', 'commits'],
  ['even if the database recovers after each end', 'recovers'],
])(
  'an event that ends its own database connection each time blocks only its stream, %s',
  async (_case, reaction) => {
    const counts = noCounts();
    const store = new RecoveringStore(harness.pool, 'lost');
    const intake = new Intake({
      store,
      feed: null,
      counts,
      logger: harness.logger,
      waits: { retry: { firstMs: 1, maxMs: 1 }, transient: { firstMs: 1, maxMs: 1 } },
      handlers: {
        OrderFailed: async ({ data: { reason } }, tx) => {
          if (reason !== 'deadly') return;
          store.isRecovering = reaction === 'recovers';
          const ending = tx.query(
            reaction === 'commits' ? END_OWN_CONNECTION_AT_COMMIT : END_OWN_CONNECTION,
          );
          await (reaction === 'ignores' ? ending.catch(() => undefined) : ending);
        },
      },
    });
    const take = (events: ReturnType<typeof history>) =>
      intake.take(
        events.map((event) => decodeMessage(harness.encode(event), 'order')),
        AbortSignal.timeout(10_000),
      );
    const sick = history('deadly', 'later');
    await take(sick);
    await take(history('one', 'two'));
    expect(counts).toMatchObject({ handled: 2, blocked: 1, kept: 1 });
    expect(await store.blocked()).toMatchObject([
      {
        streamId: streamIdOf(sick),
        version: 1,
        reason: 'failed',
        error: expect.stringContaining('the connection of the transaction was lost'),
      },
    ]);
  },
);

test('a blocked stream stays unchanged when the blocking message is delivered again', async () => {
  const { take, poison, blocked } = fragile();
  poison.add('bad');
  const events = history('bad');
  await take(events);
  const before = await blocked.list();
  poison.clear();
  await take(events);
  expect(await blocked.list()).toEqual(before);
  expect(await harness.effects(events)).toEqual([]);
});

test('a stream continues after the blocking event was discarded, and the reason is stored', async () => {
  const { take, poison, discard } = fragile();
  poison.add('bad');
  const events = history('good', 'bad', 'later');
  await take(events);
  expect(await discard(events, 2, 'the payer was informed by letter')).toBeNull();
  expect(await harness.effects(events)).toEqual(['good', 'later']);
  expect(await discards()).toMatchObject([
    {
      version: 2,
      reason: 'the payer was informed by letter',
      event: { sequence: 2, type: 'OrderFailed' },
      error: expect.stringContaining('bad is poison'),
    },
  ]);
  await expect(discard(events, 2)).rejects.toBeInstanceOf(NotBlocked);
});

test('a discard is rejected when it names a version that does not block the stream', async () => {
  const { take, poison, discard, retry } = fragile();
  for (const text of ['bad', 'worse']) poison.add(text);
  const events = history('bad', 'worse');
  await take(events);
  expect(await discard(events, 1)).toMatchObject({ version: 2, times: 1 });
  for (const version of [1, 3]) {
    await expect(discard(events, version)).rejects.toBeInstanceOf(NotBlocked);
  }
  expect(await retry(events)).toMatchObject({ version: 2 });
  expect(await discards()).toHaveLength(1);
});

test('only one of two concurrent discards of an event takes effect, and only the reason of this discard is stored', async () => {
  const { take, poison, discard } = fragile();
  poison.add('bad');
  const events = history('bad');
  await take(events);
  const results = await Promise.allSettled(
    ['first', 'second'].map((reason) => discard(events, 1, reason)),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const reason = results[0]?.status === 'fulfilled' ? 'first' : 'second';
  expect(await discards()).toMatchObject([{ reason }]);
});

test('a concurrent discard and retry of an event never both take effect', async () => {
  const { take, poison, discard, retry } = fragile();
  for (let round = 0; round < 15; round += 1) {
    poison.add('bad');
    const events = history('bad', 'later');
    await take(events);
    poison.clear();
    const [discarded] = await Promise.allSettled([discard(events, 1), retry(events)]);
    const wasDiscarded = discarded.status === 'fulfilled';
    const own = (await discards()).filter((row) => row.stream_id === streamIdOf(events));
    expect(own).toHaveLength(wasDiscarded ? 1 : 0);
    expect(await harness.effects(events)).toEqual(wasDiscarded ? ['later'] : ['bad', 'later']);
  }
});

test.each(['subscriber_streams', 'subscriber_discards'])(
  'a discard whose write to %s fails changes nothing',
  async (table) => {
    const { take, poison, discard, blocked } = fragile();
    poison.add('bad');
    const events = history('bad');
    await take(events);
    const before = await blocked.list();
    await harness.pool.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN RAISE EXCEPTION ''no''; END';
       CREATE TRIGGER fails BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION fail()`,
    );
    harness.onEnd(() => harness.pool.query('DROP FUNCTION fail CASCADE'));
    await expect(discard(events, 1)).rejects.toThrow('no');
    expect(await discards()).toEqual([]);
    expect(await blocked.list()).toEqual(before);
    expect(await harness.version('fragile', events)).toBe(0);
  },
);

test('a gap in the versions blocks the stream until the missing event arrives', async () => {
  const { take, blocked, counts } = fragile();
  const events = history('1', '2', '3', '4');
  const [, second] = events;
  if (!second) throw new Error('four events were created');
  await take(events.filter((event) => event !== second));
  expect(await harness.effects(events)).toEqual(['1']);
  expect(await blocked.list()).toMatchObject([
    {
      version: 2,
      reason: 'gap',
      type: null,
      error: 'the versions from 2 to 2 did not arrive before 3',
    },
  ]);
  await take([second]);
  expect(await harness.effects(events)).toEqual(['1', '2', '3', '4']);
  expect(await blocked.list()).toEqual([]);
  expect(counts).toMatchObject({ handled: 4, blocked: 1, kept: 1 });
});

/** Fills a gap, and stops before the stored events are handled. */
const stopAfterGap = async (events: Parameters<typeof refOf>[0]) => {
  const stop = new AbortController();
  const stopping = harness.intake('fragile', (text) => {
    if (text === '2') stop.abort();
  });
  const before = await stopping.store.read([refOf(events)]);
  await expect(stopping.take(events.slice(1, 2), stop.signal)).rejects.toThrow('abort');
  return before;
};

test('a stream whose missing event arrived continues even if the process stopped before it handled the stored events', async () => {
  const { take, blocked } = fragile();
  const events = history('1', '2', '3', '4', '5');
  await take(events.filter(({ version }) => [1, 3, 4].includes(version)));
  await stopAfterGap(events);
  expect(await harness.effects(events)).toEqual(['1', '2']);
  await take(events.slice(1, 2));
  await take(events.slice(4));
  expect(await harness.effects(events)).toEqual(['1', '2', '3', '4', '5']);
  expect(await blocked.list()).toEqual([]);
});

test.each([
  ['is repeated', 2],
  ['is the next', 5],
])(
  'a stream whose missing event was handled by another process that stopped continues when its event %s',
  async (_what, version) => {
    const { take, store } = fragile();
    const events = history('1', '2', '3', '4', '5');
    await take(events.filter((event) => [1, 3, 4].includes(event.version)));
    const before = await stopAfterGap(events);
    store.read = () => Promise.resolve(before);
    await take(events.filter((event) => event.version === version));
    expect(await harness.effects(events)).toEqual(upTo(Math.max(version, 4)).map(String));
    expect(await store.blocked()).toEqual([]);
  },
);

test('a permanent gap in the versions can be discarded, and the next gap blocks the stream again', async () => {
  const { take, discard } = fragile();
  const events = history('1', '2', '3', '4', '5', '6');
  await take(events.filter(({ version }) => version === 1 || version === 4 || version === 6));
  expect(await discard(events, 2, 'the topic was cut')).toMatchObject({
    version: 5,
    reason: 'gap',
  });
  expect(await harness.effects(events)).toEqual(['1', '4']);
  expect(await discards()).toMatchObject([
    { version: 3, event: null, reason: 'the topic was cut' },
  ]);
});

test('a failed handler does not block a stream when another process has handled the same event', async () => {
  const events = history('1');
  const healthy = harness.intake('fragile');
  const broken = harness.intake('fragile', async () => {
    await sleep(30);
    throw new Error('only here');
  });
  await Promise.all([broken.take(events), sleep(60).then(() => healthy.take(events))]);
  expect(await harness.effects(events)).toEqual(['1']);
  expect(await healthy.store.blocked()).toEqual([]);
});

test('an event is handled even if it arrives while its blocked stream is being resumed', async () => {
  const { take, poison, retry } = fragile();
  poison.add('bad');
  const events = history('bad', 'just then');
  await take(events.slice(0, 1));
  poison.clear();
  const client = await harness.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM subscriber_streams WHERE stream_id = $1 FOR UPDATE', [
    streamIdOf(events),
  ]);
  const works = Promise.all([retry(events), take(events.slice(1))]);
  await sleep(100);
  await client.query('COMMIT');
  client.release();
  await works;
  expect(await retry(events)).toBeNull();
  expect(await harness.effects(events)).toEqual(['bad', 'just then']);
});

test('each event is handled exactly once when blocking, retries and new events are concurrent', async () => {
  const { take, poison, blocked, retry } = fragile();
  const other = harness.intake('fragile', undefined, harness.newPool());
  const streams = upTo(3).map(() => history(...upTo(25).map(String)));
  for (let round = 1; round <= 25; round += 1) {
    if (round % 6 === 2) poison.add(String(round));
    if (round % 6 === 4) poison.clear();
    await Promise.all(
      streams.flatMap((events) => [
        take(events.slice(round - 1, round)),
        ...(round % 3 === 0 ? [other.take(events.slice(Math.max(0, round - 3), round))] : []),
        ...(round % 2 === 0 ? [retry(events)] : []),
      ]),
    );
  }
  poison.clear();
  await waitFor(async () => {
    await Promise.all(streams.map(retry));
    return (await blocked.list()).length === 0;
  });
  for (const events of streams) {
    expect(await harness.effects(events)).toEqual(upTo(25).map(String));
  }
  expect(await keptCount()).toBe(0);
});
