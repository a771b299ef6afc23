import { AssertionFailed, parseInstant, Rejection } from '#kernel';
import { claimOf, count, counter, openTestLog, type TestLog } from './counter.fixture.js';
import { EventStore } from './event-store.js';
import { inTransaction } from './in-transaction.js';
import { PostgresLog } from './log-storage.js';
import type { Saga, SagaContext, SagaStep, Stimulus } from './saga.js';
import { MAX_REACTION_ATTEMPTS } from './saga-instances.js';
import type { StepBuilder } from './step-builder.js';
import { WaitingSagas } from './waiting-sagas.js';

/**
 * The saga of these specs reacts to each count on an order: in the same step it adds ten times the
 * count to the payment with the same key. The variable `mood` can make the saga fail.
 */

const NOW = parseInstant('2030-03-01T12:00:00Z');

let log: TestLog;
let waiting: WaitingSagas;
beforeAll(async () => {
  log = await openTestLog();
  waiting = new WaitingSagas(log.pool);
});
afterAll(() => log.close());

const rows = async <Row extends object>(sql: string, ...values: unknown[]) =>
  (await log.admin.query<Row>(sql, values)).rows;

/** Claims the job of the saga's deadline, as a worker does. */
const lateFor = async (key: string) => {
  const job = { kind: 'tenfold.late', key };
  return { ...job, dueAt: NOW, claim: await claimOf(log.admin, job) };
};

const payments = { ...counter, streamType: 'payment' as const };

type Mood = (stimulus: Stimulus, step: SagaStep, context: SagaContext) => Promise<void> | void;
interface Sum {
  readonly sum: number;
}

const sagaWith = (mood: Mood): Saga =>
  ({
    name: 'tenfold',
    initialState: { sum: 0 } satisfies Sum,
    stateUpcasters: [],
    deadlines: ['tenfold.late'],
    keyOf: ({ streamType, metadata }) => (streamType === 'order' ? metadata.correlationId : null),
    react: async (state, stimulus, context, step) => {
      const { key, now } = context;
      await mood(stimulus, step, context);
      const by = stimulus.from === 'event' ? Number(stimulus.event.data['by']) : 1;
      await step.execute(payments, key, count(10 * by));
      step.setDeadline({ kind: 'tenfold.late', key, dueAt: now });
      return { state: { sum: (state as Sum).sum + by }, done: false };
    },
  }) satisfies Saga;

const storeWith = (mood: Mood = () => undefined): EventStore =>
  new EventStore(new PostgresLog(log.pool), counter.upcasters, {
    sagas: [sagaWith(mood)],
    clock: { now: () => NOW },
  });

const metadata = (key: string) => ({
  correlationId: key,
  causationId: 'spec',
  actor: 'user:spec',
  traceparent: 'trace',
});

const countFor = (store: EventStore, key: string, by = 1, stream = key) =>
  store.execute(counter, stream, count(by), metadata(key));

/** All events of a key in the order of the log, each as `<stream type> <added count>`. */
const storyOf = async (key: string): Promise<readonly string[]> =>
  (
    await rows<{ line: string }>(
      `SELECT stream_type || ' ' || (data ->> 'by') AS line FROM events
      WHERE metadata ->> 'correlationId' = $1 ORDER BY transaction_id, position`,
      key,
    )
  ).map(({ line }) => line);

const broken: Mood = () => {
  throw new AssertionFailed('it broke');
};

const failsAt =
  (by: number): Mood =>
  (stimulus) => {
    if (stimulus.from === 'event' && stimulus.event.data['by'] === by) throw new Error('it broke');
  };

/** Retries now, as if the wait before the retry were over. */
const retryNow = async (store: EventStore, key: string): Promise<void> => {
  await waiting.retry({ saga: 'tenfold', key });
  await store.retryReactions('tenfold', key);
};

describe('a reaction of a saga', () => {
  test('commits its commands together with the event; their events name the saga as actor and the event as cause', async () => {
    await countFor(storeWith(), 'r1', 2);
    const events = await storeWith().readStreams([
      { streamType: 'order', streamId: 'r1' },
      { streamType: 'payment', streamId: 'r1' },
    ]);
    const [cause, effect] = events;
    expect(events.map(({ data }) => data['by'])).toEqual([2, 20]);
    expect(effect?.cursor.transactionId).toBe(cause?.cursor.transactionId);
    expect(cause?.metadata).toEqual(metadata('r1'));
    expect(effect?.metadata).toEqual({
      correlationId: 'r1',
      causationId: cause?.eventId,
      actor: 'saga:tenfold',
      traceparent: 'trace',
    });
    expect(await storeWith().loadSaga('tenfold', 'r1')).toEqual({
      version: 1,
      state: { sum: 2 },
      done: false,
      waiting: null,
    });
    expect(await rows(`SELECT FROM jobs WHERE key = 'r1'`)).toHaveLength(1);
  });

  test('sees the state of aggregates after the earlier events of the step', async () => {
    const seen: unknown[] = [];
    const store = storeWith();
    await store.step(metadata('r2'), async (step) => {
      await step.execute(counter, 'r2', count(1));
      await step.execute(counter, 'r2b', count(2));
      await step.execute(counter, 'r2', count(3));
    });
    seen.push((await store.loadSaga('tenfold', 'r2')).state);
    expect(seen).toEqual([{ sum: 6 }]);
    expect((await store.loadSaga('tenfold', 'r2')).version).toBe(1);
    expect(await store.load(payments, 'r2')).toMatchObject({ state: 60, version: 3 });
  });

  test('triggers further reactions until no more follow; each event is recorded before the events that it causes', async () => {
    const store = storeWith(async (stimulus, step, { key }) => {
      const by = stimulus.from === 'event' ? Number(stimulus.event.data['by']) : 0;
      if (by > 1) await step.execute(counter, key, count(by - 1));
    });
    await countFor(store, 'r3', 4);
    expect(await storyOf('r3')).toEqual([
      'order 4',
      'order 3',
      'payment 40',
      'order 2',
      'payment 30',
      'order 1',
      'payment 20',
      'payment 10',
    ]);
  });

  test('has results that the caller’s step can read after `step.react()`', async () => {
    const seen = await storeWith().step(metadata('r4'), async (step) => {
      await step.execute(counter, 'r4', count(5));
      await step.react();
      return step.load(payments, 'r4');
    });
    expect(seen).toBe(50);
  });

  test('is included in the preview of a step, which commits nothing', async () => {
    const step = await storeWith().preview(metadata('r5'), (one) =>
      one.execute(counter, 'r5', count(1)),
    );
    expect(step?.appends.map(({ streamType }) => streamType)).toEqual(['order', 'payment']);
    expect(await storyOf('r5')).toEqual([]);
    const alone = await storeWith(broken).preview(metadata('r5'), (one) =>
      one.execute(counter, 'r5', count(1)),
    );
    expect(alone?.appends.map(({ streamType }) => streamType)).toEqual(['order']);
  });

  test('creates ids that are the same in each preview, and random in the committed step', async () => {
    const ids: string[] = [];
    const store = storeWith((_stimulus, _step, { newId }) => void ids.push(newId('cap')));
    const work = (step: StepBuilder) => step.execute(counter, 'r20', count(1));
    await store.preview(metadata('r20'), work);
    await store.preview(metadata('r20'), work);
    await store.step(metadata('r20'), work);
    expect(ids).toEqual(['cap_…', 'cap_…', expect.stringMatching(/^cap_\w{24}$/)]);
  });

  test('can be caused by a deadline, and then ends the deadline’s job in the same step', async () => {
    const store = storeWith();
    await countFor(store, 'r6');
    const late = await lateFor('r6');
    await store.step(metadata('r6'), (step) => step.firedForSaga(late));
    expect(await store.load(payments, 'r6')).toMatchObject({ state: 20, version: 2 });
  });

  test('does not run simultaneously with another reaction of the same saga instance, even in another process', async () => {
    const stores = [storeWith(), storeWith(), storeWith()];
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        countFor(stores[n % 3] ?? storeWith(), 'r7', 1, `r7-${n}`),
      ),
    );
    expect((await storeWith().loadSaga('tenfold', 'r7')).state).toEqual({ sum: 12 });
    expect(await storeWith().load(payments, 'r7')).toMatchObject({ state: 120, version: 12 });
  });

  test('uses a cached saga state, and the commit checks that this state is still the stored one', async () => {
    const [mine, other] = [storeWith(), storeWith()];
    await countFor(mine, 'r8', 1);
    await countFor(other, 'r8', 2, 'r8-other');
    await countFor(mine, 'r8', 4);
    expect(await mine.loadSaga('tenfold', 'r8')).toEqual({
      version: 3,
      state: { sum: 7 },
      done: false,
      waiting: null,
    });
  });
});

test('the commit checks that a saga state is still the stored one even if the reaction issues no command', async () => {
  const quiet = (): EventStore =>
    new EventStore(new PostgresLog(log.pool), counter.upcasters, {
      clock: { now: () => NOW },
      sagas: [
        {
          ...sagaWith(() => undefined),
          name: 'quiet',
          deadlines: [],
          react: (state, stimulus) => {
            const by = stimulus.from === 'event' ? Number(stimulus.event.data['by']) : 0;
            return Promise.resolve({ state: { sum: (state as Sum).sum + by }, done: false });
          },
        },
      ],
    });
  const [mine, other] = [quiet(), quiet()];
  await countFor(mine, 'q1', 1);
  await countFor(other, 'q1', 2, 'q1-other');
  await countFor(mine, 'q1', 4, 'q1-third');
  expect((await mine.loadSaga('quiet', 'q1')).state).toEqual({ sum: 7 });
});

describe('a reaction that fails', () => {
  test('loses no event: the event is committed without the reaction, and the saga instance waits for a retry', async () => {
    await countFor(storeWith(broken), 'f1', 3);
    expect(await storyOf('f1')).toEqual(['order 3']);
    const [found] = (await waiting.list()).filter(({ key }) => key === 'f1');
    expect(found).toMatchObject({
      saga: 'tenfold',
      attempts: 1,
      waiting: 1,
      deadline: null,
      error: expect.stringContaining('it broke'),
      event: { streamType: 'order', streamId: 'f1', version: 1, type: 'Counted' },
    });
    expect(Date.parse(found?.retryAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  test('makes later events of its saga instance wait in order, and does not delay other instances', async () => {
    const store = storeWith((_stimulus, _step, { key }) => {
      if (key === 'f2') throw new Error('it broke');
    });
    for (const by of [1, 2, 3]) {
      await countFor(store, 'f2', by);
      await countFor(store, 'f3', by);
    }
    expect(await storyOf('f2')).toEqual(['order 1', 'order 2', 'order 3']);
    expect((await store.load(payments, 'f3')).state).toBe(60);
    await retryNow(storeWith(), 'f2');
    expect(await storyOf('f2')).toEqual([
      'order 1',
      'order 2',
      'order 3',
      'payment 10',
      'payment 20',
      'payment 30',
    ]);
    expect(await store.loadSaga('tenfold', 'f2')).toEqual({
      version: 4,
      state: { sum: 6 },
      done: false,
      waiting: null,
    });
    expect((await waiting.list()).filter(({ key }) => key === 'f2')).toEqual([]);
  });

  test('commits none of its own commands, but all commands of earlier reactions that succeeded', async () => {
    let reactions = 0;
    const store = storeWith(async (_stimulus, step, { key }) => {
      reactions += 1;
      await step.execute(counter, `${key}-part`, count(0));
      if (reactions % 2 === 0) throw new Error('every second one');
    });
    await store.step(metadata('f4'), async (step) => {
      await step.execute(counter, 'f4', count(1));
      await step.execute(counter, 'f4', count(2));
    });
    expect(await storyOf('f4')).toEqual(['order 1', 'order 2', 'payment 10']);
    expect((await waiting.get({ saga: 'tenfold', key: 'f4' })).event?.version).toBe(2);
  });

  test('ends a chain of reactions that cause each other after 32 rounds, so that no chain is endless', async () => {
    const endless = storeWith((_stimulus, step, { key }) =>
      step.execute(counter, key, count(1)).then(() => undefined),
    );
    await countFor(endless, 'f5');
    expect(await waiting.get({ saga: 'tenfold', key: 'f5' })).toMatchObject({
      error: expect.stringContaining('reactions end within 32 rounds'),
    });
    expect((await storyOf('f5')).filter((line) => line === 'order 1').length).toBeGreaterThan(0);
  });

  test('is queued for a retry, even if the saga reacted to a deadline', async () => {
    await countFor(storeWith(), 'f6');
    const fire = await lateFor('f6');
    await storeWith(broken).step(metadata('f6'), (step) => step.firedForSaga(fire));
    expect(await rows(`SELECT FROM jobs WHERE key = 'f6'`)).toEqual([]);
    expect(await waiting.get({ saga: 'tenfold', key: 'f6' })).toMatchObject({
      event: null,
      deadline: 'tenfold.late',
      stimulus: `tenfold.late@${NOW}`,
    });
    await retryNow(storeWith(), 'f6');
    expect((await storeWith().load(payments, 'f6')).state).toBe(20);
  });

  test('is retried with growing waits, and after the last retry waits for an operator', async () => {
    await countFor(storeWith(broken), 'f7');
    const waits: (number | null)[] = [];
    for (let attempt = 2; attempt <= MAX_REACTION_ATTEMPTS; attempt += 1) {
      await retryNow(storeWith(broken), 'f7');
      const [row] = await rows<{ seconds: number | null }>(
        `SELECT round(extract(epoch FROM nullif(retry_at, 'infinity') - clock_timestamp()))::int
                  AS seconds FROM sagas WHERE key = 'f7'`,
      );
      waits.push(row?.seconds ?? null);
    }
    expect(waits).toEqual([4, 16, 64, 256, 300, 300, null]);
    expect(await waiting.get({ saga: 'tenfold', key: 'f7' })).toMatchObject({
      attempts: MAX_REACTION_ATTEMPTS,
      retryAt: null,
    });
    expect(await waiting.claim(10, ['tenfold'])).not.toContainEqual({ saga: 'tenfold', key: 'f7' });
    await retryNow(storeWith(), 'f7');
    expect(await storyOf('f7')).toEqual(['order 1', 'payment 10']);
  });

  test('has its own count of attempts, which does not include those of an earlier failed reaction', async () => {
    for (const by of [1, 2]) await countFor(storeWith(broken), 'f8', by);
    await retryNow(storeWith(failsAt(2)), 'f8');
    expect(await waiting.get({ saga: 'tenfold', key: 'f8' })).toMatchObject({
      attempts: 1,
      waiting: 1,
      event: { version: 2 },
    });
    expect(await storyOf('f8')).toEqual(['order 1', 'order 2', 'payment 10']);
  });

  test('is not retried earlier when a later event of its saga instance arrives', async () => {
    await countFor(storeWith(broken), 'f9');
    const at = async () =>
      (await rows(`SELECT retry_at, failing_since FROM sagas WHERE key = 'f9'`))[0];
    const before = await at();
    await countFor(storeWith(), 'f9');
    expect(await at()).toEqual(before);
    expect((await waiting.get({ saga: 'tenfold', key: 'f9' })).waiting).toBe(2);
  });

  test('is recorded with the time at which it first failed, not with the time at which an earlier reaction failed', async () => {
    for (const by of [1, 2]) await countFor(storeWith(broken), 'f15', by);
    const since = async () => (await waiting.get({ saga: 'tenfold', key: 'f15' })).failingSince;
    const first = await since();
    await retryNow(storeWith(broken), 'f15');
    expect(await since()).toBe(first);
    await retryNow(storeWith(failsAt(2)), 'f15');
    const second = await since();
    expect(Date.parse(second)).toBeGreaterThan(Date.parse(first));
    await countFor(storeWith(), 'f15', 3);
    expect(await since()).toBe(second);
  });

  test('makes the whole step fail if the infrastructure caused the error; then nothing is committed', async () => {
    const store = storeWith(() => {
      throw Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' });
    });
    await expect(countFor(store, 'f10')).rejects.toThrow('the database is away');
    expect(await storyOf('f10')).toEqual([]);
  });

  test('is decided again on the current log if it used a cached state of its saga', async () => {
    const mine = storeWith((_stimulus, _step, { key }) => {
      if (key === 'f11' && tries++ === 0) throw new Error('stale');
    });
    let tries = 1;
    await countFor(mine, 'f11');
    tries = 0;
    await countFor(mine, 'f11', 2);
    expect(await storyOf('f11')).toEqual(['order 1', 'payment 10', 'order 2', 'payment 20']);
  });

  test.each([
    ['holds NUL', 'bad name "\0"'],
    ['is cut within an emoji', `${'x'.repeat(3_999 - 'AssertionFailed: '.length)}\u{1F600}`],
  ])('loses no event, even if the text of the error %s', async (what, message) => {
    const key = `f15 ${what}`;
    await countFor(
      storeWith(() => {
        throw new AssertionFailed(message);
      }),
      key,
      3,
    );
    expect(await storyOf(key)).toEqual(['order 3']);
    expect((await waiting.get({ saga: 'tenfold', key })).attempts).toBe(1);
  });

  test('uses up an attempt even if the reaction’s event cannot be read', async () => {
    await countFor(storeWith(broken), 'f16');
    const unreadable = new EventStore(
      new PostgresLog(log.pool),
      {
        Counted: [
          () => {
            throw new AssertionFailed('no such schema');
          },
        ],
      },
      { sagas: [sagaWith(() => undefined)], clock: { now: () => NOW } },
    );
    for (let attempt = 2; attempt <= MAX_REACTION_ATTEMPTS; attempt += 1) {
      await unreadable.retryReactions('tenfold', 'f16');
    }
    expect(await waiting.get({ saga: 'tenfold', key: 'f16' })).toMatchObject({
      attempts: MAX_REACTION_ATTEMPTS,
      retryAt: null,
      error: expect.stringContaining('no such schema'),
    });
  });

  test('is not retried for a deadline that an earlier reaction of the same retry has rescheduled', async () => {
    const fired: string[] = [];
    const countingFired = (): EventStore =>
      storeWith((stimulus) => {
        if (stimulus.from === 'deadline') fired.push(stimulus.kind);
      });
    await countFor(countingFired(), 'f17');
    await countFor(storeWith(broken), 'f17', 2);
    const fire = await lateFor('f17');
    await storeWith().step(metadata('f17'), (step) => step.firedForSaga(fire));
    await retryNow(countingFired(), 'f17');
    expect(fired).toEqual([]);
    expect((await storeWith().load(payments, 'f17')).state).toBe(30);
    expect(await rows(`SELECT FROM jobs WHERE key = 'f17'`)).toHaveLength(1);
  });

  test('is not recorded if the command of the step’s caller is rejected', async () => {
    await expect(countFor(storeWith(broken), 'f12', -1)).rejects.toThrow(Rejection);
    expect(await storyOf('f12')).toEqual([]);
    await expect(waiting.get({ saga: 'tenfold', key: 'f12' })).rejects.toThrow('is not blocked');
  });

  test('is retried by one process at a time, and by a second process if the first process fails', async () => {
    await countFor(storeWith(broken), 'f13');
    await waiting.retry({ saga: 'tenfold', key: 'f13' });
    const ref = { saga: 'tenfold', key: 'f13' };
    expect(await waiting.claim(100, ['tenfold'])).toContainEqual(ref);
    expect(await waiting.claim(100, ['tenfold'])).not.toContainEqual(ref);
    await rows(`UPDATE sagas SET retry_at = retry_at - interval '31 seconds' WHERE key = 'f13'`);
    expect(await waiting.claim(100, ['tenfold'])).toContainEqual(ref);
  });

  test('is retried even by a process that has cached an older state of the saga', async () => {
    const mine = storeWith();
    await countFor(mine, 'f18', 1);
    await countFor(storeWith(broken), 'f18', 2);
    await retryNow(mine, 'f18');
    expect(await storyOf('f18')).toEqual(['order 1', 'payment 10', 'order 2', 'payment 20']);
  });

  test('takes effect only once, even if several processes retry it simultaneously', async () => {
    for (const by of [1, 2]) await countFor(storeWith(broken), 'f14', by);
    await Promise.all([1, 2, 3].map(() => storeWith().retryReactions('tenfold', 'f14')));
    expect(await storyOf('f14')).toEqual(['order 1', 'order 2', 'payment 10', 'payment 20']);
  });
});

describe('discarding a failed reaction', () => {
  const discard = (key: string, stimulus: string) =>
    inTransaction(log.ops, (client) =>
      waiting.discard(client, {
        ref: { saga: 'tenfold', key },
        stimulus,
        reason: 'made by hand',
        actor: 'user:spec',
      }),
    );

  test('removes the reaction without effect, and the reactions queued behind it are retried', async () => {
    for (const by of [1, 2]) await countFor(storeWith(broken), 'd1', by);
    const { stimulus, failingSince } = await waiting.get({ saga: 'tenfold', key: 'd1' });
    await discard('d1', stimulus);
    const behind = await waiting.get({ saga: 'tenfold', key: 'd1' });
    expect(Date.parse(behind.failingSince)).toBeGreaterThan(Date.parse(failingSince));
    expect(await waiting.claim(100, ['tenfold'])).toContainEqual({ saga: 'tenfold', key: 'd1' });
    await storeWith().retryReactions('tenfold', 'd1');
    expect(await storyOf('d1')).toEqual(['order 1', 'order 2', 'payment 20']);
    expect(
      await rows(
        `SELECT stimulus, reason, actor, version FROM discarded_reactions WHERE key = 'd1'`,
      ),
    ).toEqual([{ stimulus: 'Counted', reason: 'made by hand', actor: 'user:spec', version: 1 }]);
  });

  test('is rejected if the operator has chosen a reaction that is not the first in the queue', async () => {
    for (const by of [1, 2]) await countFor(storeWith(broken), 'd2', by);
    const { stimulus } = await waiting.get({ saga: 'tenfold', key: 'd2' });
    await discard('d2', stimulus);
    await expect(discard('d2', stimulus)).rejects.toMatchObject({ code: 'already_reacted' });
    expect(await rows(`SELECT FROM discarded_reactions WHERE key = 'd2'`)).toHaveLength(1);
  });

  test('is rejected if another process has completed the reaction before the discarding transaction locks the row', async () => {
    for (const by of [1, 2]) await countFor(storeWith(broken), 'd3', by);
    const { stimulus } = await waiting.get({ saga: 'tenfold', key: 'd3' });
    const failsAtTwo = storeWith((one) => {
      if (one.from === 'event' && one.event.data['by'] === 2) throw new Error('two');
    });
    const discarding = inTransaction(log.ops, async (client) => {
      // Before the discard, another process retries the failed reaction successfully.
      await failsAtTwo.retryReactions('tenfold', 'd3');
      await waiting.discard(client, {
        ref: { saga: 'tenfold', key: 'd3' },
        stimulus,
        reason: 'late',
        actor: 'user:spec',
      });
    });
    await expect(discarding).rejects.toMatchObject({ code: 'already_reacted' });
    await storeWith().retryReactions('tenfold', 'd3');
    expect(await rows(`SELECT FROM discarded_reactions WHERE key = 'd3'`)).toEqual([]);
    expect((await storeWith().load(payments, 'd3')).state).toBe(30);
  });

  test('delays other steps of the saga instance until the discarding transaction has ended', async () => {
    await countFor(storeWith(broken), 'd4');
    const { stimulus } = await waiting.get({ saga: 'tenfold', key: 'd4' });
    let isCommitted = false;
    const later = inTransaction(log.ops, async (client) => {
      await waiting.discard(client, {
        ref: { saga: 'tenfold', key: 'd4' },
        stimulus,
        reason: 'by hand',
        actor: 'user:spec',
      });
      const counting = countFor(storeWith(), 'd4', 2).then(() => {
        isCommitted = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(isCommitted).toBe(false);
      return { counting };
    });
    await (
      await later
    ).counting;
    expect(await storyOf('d4')).toEqual(['order 1', 'order 2', 'payment 20']);
  });
});
