import { randomUUID } from 'node:crypto';
import { plusMs, parseInstant, Rejection } from '#kernel';
import { countStatements } from '#testing';
import { AlreadyAnswered, ReservationTaken, StepConflict, StepSuperseded } from './conflict.js';
import { claimOf, count, counter, metadata, openTestLog, type TestLog } from './counter.fixture.js';
import { EventStore } from './event-store.js';
import { PostgresLog } from './log-storage.js';
import { GroupCommitter } from './group-committer.js';
import type { Saga } from './saga.js';
import { EMPTY_STEP, type Step } from './step.js';
import { Wakes } from './wakes.js';

let log: TestLog;
let store: EventStore;

/** Simulates a separate process, with its own cache of streams. */
const ours = () => new EventStore(new PostgresLog(log.pool), counter.upcasters, null);

beforeAll(async () => {
  log = await openTestLog();
  store = new EventStore(new PostgresLog(log.pool), counter.upcasters, null);
});
afterAll(() => log.close());

const rows = async (sql: string, ...values: unknown[]) => (await log.admin.query(sql, values)).rows;

describe('a command on an aggregate', () => {
  test('appends its events to the stream, and the aggregate’s state follows from the stream', async () => {
    expect(await store.execute(counter, 'a1', count(2), metadata)).toBe(2);
    expect(await store.execute(counter, 'a1', count(3), metadata)).toBe(5);
    expect(await store.load(counter, 'a1')).toMatchObject({ state: 5, version: 2 });
  });

  test('writes nothing if the command is rejected or leads to no event', async () => {
    await expect(store.execute(counter, 'a2', count(-1), metadata)).rejects.toThrow(Rejection);
    await store.execute(counter, 'a2', count(0), metadata);
    expect(await store.load(counter, 'a2')).toMatchObject({ state: 0, version: 0 });
  });

  test('from many simultaneous callers is decided again after each conflict, so that every decision sees the events of the previous decision', async () => {
    await Promise.all(
      Array.from({ length: 10 }, () => store.execute(counter, 'a3', count(), metadata)),
    );
    expect(await store.load(counter, 'a3')).toMatchObject({ state: 10, version: 10 });
  });

  test('stores its event with data, metadata and identity', async () => {
    await store.execute(counter, 'a4', count(7), metadata);
    const [event] = await store.readStreams([{ streamType: 'order', streamId: 'a4' }]);
    expect(event).toMatchObject({
      streamType: 'order',
      streamId: 'a4',
      version: 1,
      type: 'Counted',
      schemaVersion: 1,
      data: { by: 7 },
      metadata,
    });
  });

  test('that has no trace context continues the trace of its stream, whether read from the cache or from the log', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const traces = async (streamId: string) =>
      (await store.readStreams([{ streamType: 'order', streamId }])).map(
        (event) => event.metadata.traceparent,
      );
    await store.execute(counter, 't1', count(), { ...metadata, traceparent });
    await store.execute(counter, 't1', count(), metadata);
    await ours().execute(counter, 't1', count(), metadata);
    const recalled = ours();
    await recalled.recall(counter, ['t1']);
    await recalled.execute(counter, 't1', count(), metadata);
    expect(await traces('t1')).toEqual([traceparent, traceparent, traceparent, traceparent]);
    const later = traceparent.replace('0af7', '0af8');
    await store.execute(counter, 't1', count(), { ...metadata, traceparent: later });
    await store.execute(counter, 't1', count(), metadata);
    expect((await traces('t1')).slice(-2)).toEqual([later, later]);
    await store.execute(counter, 't2', count(), metadata);
    expect(await traces('t2')).toEqual([null]);
  });

  test('is decided on old events that are upcast to the current schema', async () => {
    await store.execute(counter, 'a5', count(4), metadata);
    const upcast = ({ by, ...rest }: Readonly<Record<string, unknown>>) => ({
      ...rest,
      by: Number(by) * 100,
    });
    const newer = new EventStore(new PostgresLog(log.pool), { Counted: [upcast] }, null);
    expect((await newer.load(counter, 'a5')).state).toBe(400);
    const newCounter = { ...counter, upcasters: { Counted: [upcast] } };
    await newer.execute(newCounter, 'a5', count(1), metadata);
    expect((await newer.load(newCounter, 'a5')).state).toBe(401);
  });
});

test('the state of a long stream is computed from pages of its events, with its newest trace context', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await rows(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     SELECT 'order', 'long', n, gen_random_uuid(), 'Counted', 1, '{"by": 1}',
            CASE n WHEN 2 THEN jsonb_build_object('traceparent', $1::text) ELSE '{}' END
       FROM generate_series(1, 2500) AS n`,
    traceparent,
  );
  const storage = new PostgresLog(log.pool);
  const read: number[] = [];
  const history: PostgresLog['history'] = async (...args) => {
    const page = await storage.history(...args);
    read.push(page.length);
    return page;
  };
  const paged = new EventStore(
    Object.assign(Object.create(storage), { history }),
    counter.upcasters,
    null,
  );
  expect(await paged.load(counter, 'long')).toEqual({ version: 2_500, state: 2_500, traceparent });
  expect(read).toEqual([1_000, 1_000, 500]);
});

describe('the cached state of a stream', () => {
  test('is used for a decision without reading the stream', async () => {
    const [first, reads] = [ours(), countReads()];
    await first.execute(counter, 'm1', count(), metadata);
    expect(reads()).toBe(1);
    await first.execute(counter, 'm1', count(), metadata);
    expect(reads()).toBe(1);
    expect((await first.load(counter, 'm1')).state).toBe(2);
  });

  const countReads = (): (() => number) => countStatements(log.pool, 'history');

  test('is compared with the log by the commit, even if the step writes nothing to the stream', async () => {
    const [mine, other] = [ours(), ours()];
    await mine.execute(counter, 'm2', count(1), metadata);
    await other.execute(counter, 'm2', count(10), metadata);
    const seen = await mine.step(metadata, async (step) => {
      const state = await step.load(counter, 'm2');
      await step.execute(counter, 'm3', count(state));
      return state;
    });
    expect(seen).toBe(11);
    expect((await mine.load(counter, 'm3')).state).toBe(11);
  });

  test('is compared with the log if the step declares that it depends on the state, even if the state was read only for this step', async () => {
    const [mine, other] = [ours(), ours()];
    await other.execute(counter, 'm8', count(1), metadata);
    let tries = 0;
    const seen = await mine.step(metadata, async (step) => {
      const state = await step.loadCompared(counter, 'm8');
      tries += 1;
      if (tries === 1) await other.execute(counter, 'm8', count(10), metadata);
      await step.execute(counter, 'm9', count(state));
      return state;
    });
    expect([tries, seen]).toEqual([2, 11]);
    expect((await mine.load(counter, 'm9')).state).toBe(11);
    expect((await mine.load(counter, 'm8')).version).toBe(2);
  });

  test('is compared with the log before a step is rejected or ends without a commit', async () => {
    const [mine, other] = [ours(), ours()];
    await mine.execute(counter, 'm4', count(1), metadata);
    await other.execute(counter, 'm4', count(10), metadata);
    const seen: number[] = [];
    const add = (by: number) =>
      mine.step(metadata, async (step) => {
        seen.push(await step.load(counter, 'm4'));
        await step.execute(counter, 'm4', count(by));
      });
    await add(0);
    expect(seen).toEqual([1, 11]);
    await other.execute(counter, 'm4', count(10), metadata);
    await expect(add(-1)).rejects.toThrow(Rejection);
    expect(seen).toEqual([1, 11, 11, 21]);
  });
});

describe('a step', () => {
  test('is committed as a whole or not at all', async () => {
    const dueAt = parseInstant('2026-03-01T10:00:00Z');
    await store.step(metadata, async (step) => {
      await step.execute(counter, 'b1', count());
      await step.execute(counter, 'b2', count());
      step.reserve({ scope: 'names', key: 'b', holder: 'b1' });
      step.setDeadline({ kind: 'k', key: 'b', dueAt });
    });
    expect(await rows(`SELECT due_at FROM jobs WHERE key = 'b'`)).toHaveLength(1);
    expect(await rows(`SELECT holder FROM reservations WHERE key = 'b'`)).toEqual([
      { holder: 'b1' },
    ]);
  });

  test('that reserves a unique name is rejected if another aggregate holds the name, and is decided again if the same aggregate has simultaneously reserved it', async () => {
    const reserve = (by: EventStore, holder: string, decided = async (): Promise<void> => {}) =>
      by.step(metadata, async (step) => {
        const before = await step.load(counter, holder);
        await decided();
        if (before > 0) return 'had it';
        await step.execute(counter, holder, count(1));
        step.reserve({ scope: 'names', key: 'one', holder });
        return 'has it';
      });
    const [mine, other] = [ours(), ours()];
    let hasDecided = false;
    const late = reserve(mine, 'own1', async () => {
      if (hasDecided) return;
      hasDecided = true;
      expect(await reserve(other, 'own1')).toBe('has it');
    });
    expect(await late).toBe('had it');
    await expect(reserve(other, 'own2')).rejects.toBeInstanceOf(ReservationTaken);
    expect((await other.load(counter, 'own2')).version).toBe(0);
  });

  test('decides each command on the state after the step’s earlier commands', async () => {
    const state = await store.step(metadata, async (step) => {
      await step.execute(counter, 'b3', count(1));
      return step.execute(counter, 'b3', count(2));
    });
    expect(state).toBe(3);
  });

  test('is decided a limited number of times if each commit has a conflict, even if a saga fails in the last attempt', async () => {
    let commits = 0;
    const storage = new PostgresLog(log.pool);
    const conflicting = Object.assign(Object.create(storage) as PostgresLog, {
      commit: () => {
        commits += 1;
        return Promise.reject(new StepConflict('always'));
      },
    });
    let reactions = 0;
    const saga: Saga = {
      name: 's',
      initialState: {},
      stateUpcasters: [],
      deadlines: [],
      keyOf: () => 'g',
      react: () => {
        reactions += 1;
        return reactions === 21
          ? Promise.reject(new Error('it broke'))
          : Promise.resolve({ state: {}, done: false });
      },
    };
    const clock = { now: () => parseInstant('2026-03-01T10:00:00Z') };
    const own = new EventStore(
      conflicting,
      {},
      { sagas: [saga], clock },
      { pause: () => Promise.resolve() },
    );
    await expect(own.execute(counter, 'b7', count(1), metadata)).rejects.toThrow(StepConflict);
    expect(commits).toBeLessThan(25);
  });

  test('writes nothing at all if one of its writes conflicts', async () => {
    await store.step(metadata, (step) => step.reserve({ scope: 'n', key: 'x', holder: 'first' }));
    const second = store.step(metadata, async (step) => {
      await step.execute(counter, 'b4', count());
      step.setDeadline({ kind: 'k', key: 'b4', dueAt: parseInstant('2026-03-01T10:00:00Z') });
      step.reserve({ scope: 'n', key: 'x', holder: 'second' });
    });
    await expect(second).rejects.toMatchObject(new ReservationTaken('n', 'x', 'first'));
    expect((await store.load(counter, 'b4')).version).toBe(0);
    expect(await rows(`SELECT FROM jobs WHERE key = 'b4'`)).toEqual([]);
  });

  test("can end a deadline's job only once, and only with the job's claim", async () => {
    const dueAt = parseInstant('2026-03-01T10:00:00Z');
    const job = { kind: 'once', key: 'm' };
    const fire = (claim: string) =>
      store.step(metadata, async (step) => {
        await step.execute(counter, 'b5', count());
        step.endJob({ ...job, claim });
      });
    await expect(fire(randomUUID())).rejects.toThrow(StepSuperseded);
    await store.step(metadata, (step) => step.setDeadline({ ...job, dueAt }));
    await expect(fire(randomUUID())).rejects.toThrow(StepSuperseded);
    const claim = await claimOf(log.admin, job);
    await fire(claim);
    await expect(fire(claim)).rejects.toThrow(StepSuperseded);
    expect((await store.load(counter, 'b5')).version).toBe(1);
  });

  test('is not committed if another worker has meanwhile claimed the step’s job', async () => {
    const dueAt = parseInstant('2026-03-01T10:00:00Z');
    const job = { kind: 'claimed again', key: 'm' };
    await store.step(metadata, (step) => step.setDeadline({ ...job, dueAt }));
    const lapsed = await claimOf(log.admin, job);
    const claim = await claimOf(log.admin, job);
    const end = (by: string) => store.step(metadata, (step) => step.endJob({ ...job, claim: by }));
    await expect(end(lapsed)).rejects.toThrow(StepSuperseded);
    await end(claim);
    expect(await rows(`SELECT FROM jobs WHERE kind = 'claimed again'`)).toEqual([]);
  });

  test('is committed only if the stuck job about which it decides was not run since it was read', async () => {
    const dueAt = parseInstant('2026-03-01T10:00:00Z');
    const job = { kind: 'stuck', key: 'm' };
    await store.step(metadata, (step) => step.setDeadline({ ...job, dueAt }));
    const fail = (claim: string) =>
      store.step(metadata, (step) =>
        step.endJob({ ...job, claim }, { state: 'stuck', dueAt: null, note: 'it failed' }),
      );
    const decide = (claim: string | null) =>
      store.step(metadata, async (step) => {
        step.compareStuck({ ...job, claim });
        await step.execute(counter, 'b7', count());
      });
    const claim = await claimOf(log.admin, job);
    await expect(decide(claim)).rejects.toThrow(StepSuperseded);
    await fail(claim);
    await decide(claim);
    expect(await rows(`SELECT state, note FROM jobs WHERE kind = 'stuck'`)).toEqual([
      { state: 'stuck', note: 'it failed' },
    ]);
    await fail(await claimOf(log.admin, job));
    await expect(decide(claim)).rejects.toThrow(StepSuperseded);
    await expect(decide(null)).rejects.toThrow(StepSuperseded);
    expect((await store.load(counter, 'b7')).version).toBe(1);
  });

  test('is not committed if the deadline that the step handles has meanwhile been rescheduled', async () => {
    const dueAt = parseInstant('2026-03-01T10:00:00Z');
    const set = (at: typeof dueAt) =>
      store.step(metadata, (step) => step.setDeadline({ kind: 'moved', key: 'm', dueAt: at }));
    await set(dueAt);
    const claim = await claimOf(log.admin, { kind: 'moved', key: 'm' });
    await set(plusMs(dueAt, 1_000));
    const fire = store.step(metadata, (step) => step.endJob({ kind: 'moved', key: 'm', claim }));
    await expect(fire).rejects.toThrow(StepSuperseded);
  });

  test('is not committed if its idempotency key was used before, and its caller then receives the stored response', async () => {
    const answer = { platformId: 'p', key: 'k', fingerprint: 'f', status: 201, body: { id: 1 } };
    const ask = () =>
      store.step(metadata, async (step) => {
        await step.execute(counter, 'b6', count());
        step.answered(answer);
      });
    await ask();
    await expect(ask()).rejects.toMatchObject(new AlreadyAnswered('f', 201, { id: 1 }));
    expect((await store.load(counter, 'b6')).version).toBe(1);
  });
});

describe('a batch of steps', () => {
  const append = (streamId: string, expectedVersion: number): Step => ({
    ...EMPTY_STEP,
    appends: [
      {
        streamType: 'order',
        streamId,
        expectedVersion,
        events: [
          {
            ordinal: 1,
            eventId: crypto.randomUUID(),
            type: 'Counted',
            schemaVersion: 1,
            data: { by: 1 },
            metadata,
          },
        ],
      },
    ],
  });

  test('contains all steps of one turn of the event loop, and if one step has a conflict only this step fails', async () => {
    const committer = new GroupCommitter(log.pool, new Wakes());
    const before = await transactions();
    const results = await Promise.allSettled([
      ...Array.from({ length: 30 }, (_, n) => committer.commit(append(`c${n}`, 0))),
      committer.commit(append('c-wrong', 5)),
      ...Array.from({ length: 30 }, (_, n) => committer.commit(append(`d${n}`, 0))),
    ]);
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed).toEqual([{ status: 'rejected', reason: expect.any(StepConflict) }]);
    expect(await transactions()).toBe(before + 1);
  });

  test('contains the next steps of all callers whose previous steps were committed together', async () => {
    const committer = new GroupCommitter(log.pool, new Wakes());
    const before = await transactions();
    const caller = async (name: number): Promise<void> => {
      for (const version of [0, 1, 2]) await committer.commit(append(`i${name}`, version));
    };
    await Promise.all(Array.from({ length: 8 }, (_, name) => caller(name)));
    expect(await transactions()).toBe(before + 3);
  });

  /** The number of transactions that have written events. */
  const transactions = async () =>
    Number((await rows('SELECT count(DISTINCT transaction_id) FROM events'))[0]?.count);

  test('is committed step by step if one of its steps cannot be stored, so that all other steps are stored', async () => {
    const committer = new GroupCommitter(log.pool, new Wakes());
    const good = Array.from({ length: 6 }, (_, n) => append(`h${n}`, 0));
    const [event] = append('bad', 0).appends[0]?.events ?? [];
    const bad: Step = {
      ...append('bad', 0),
      appends: [
        {
          streamType: 'order',
          streamId: 'bad',
          expectedVersion: 0,
          events: event ? [{ ...event, eventId: 'no-uuid' }] : [],
        },
      ],
    };
    const results = await Promise.allSettled(
      [...good.slice(0, 3), bad, ...good.slice(3)].map((step) => committer.commit(step)),
    );
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
    ]);
    expect(await rows(`SELECT FROM events WHERE stream_id ~ '^h[0-5]$'`)).toHaveLength(6);
  });

  test('never contains two steps that use the same stream', async () => {
    const committer = new GroupCommitter(log.pool, new Wakes());
    await Promise.all([0, 1, 2, 3].map((version) => committer.commit(append('e', version))));
    const versions = await rows(`SELECT version FROM events WHERE stream_id = 'e' ORDER BY 1`);
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  test('does not deadlock with another process’s batch that writes the same streams in another sequence', async () => {
    const committers = [
      new GroupCommitter(log.pool, new Wakes()),
      new GroupCommitter(log.pool, new Wakes()),
    ];
    const both = (streams: readonly string[]) => ({
      ...append('', 0),
      appends: streams.flatMap((id) => append(id, 0).appends),
    });
    for (let round = 0; round < 40; round += 1) {
      const results = await Promise.allSettled([
        committers[0]?.commit(both([`f${round}`, `g${round}`])),
        committers[1]?.commit(both([`g${round}`, `f${round}`])),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});

test('a provider request whose job the commit has claimed is started even if a listener of the commit fails', async () => {
  const begun: string[] = [];
  const mine = ours();
  mine.beginCallsBy({
    reserve: () => ({ claim: randomUUID(), claimMs: 1_000 }),
    release: () => undefined,
    giveBack: () => undefined,
    begin: ({ subjectId }) => begun.push(subjectId),
  });
  mine.onCommitted(() => {
    throw new Error('a bug');
  });
  const requesting: typeof counter = {
    ...counter,
    followUps: ({ id: subjectId, events }) => ({
      effects: events.map(({ eventId: jobId }) => ({
        jobId,
        kind: 'capture',
        subjectId,
        accountId: 'acc_1',
        askedAt: parseInstant('2030-03-01T12:00:00Z'),
      })),
      deadlines: [],
    }),
  };
  await mine.execute(requesting, 'c1', count(), metadata).catch(() => undefined);
  expect(begun).toEqual(['c1']);
});
