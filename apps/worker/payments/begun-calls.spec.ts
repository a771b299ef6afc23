import { setTimeout as sleep } from 'node:timers/promises';
import { begunJob, JobRunner, LANES } from '#jobs';
import { newId } from '#kernel';
import type { BegunCall } from '#log';
import { paymentAggregate } from '#payment';
import { ACCOUNT } from '../worker.fixture.js';
import { EffectsBench } from './calls.fixture.js';

/** Provider requests that are sent immediately, by the process that commits them. */

let effects: EffectsBench;
let runner: JobRunner;
const begun: BegunCall[] = [];
let runs: Promise<void>[] = [];

const beginBy = (by: JobRunner, run: (call: BegunCall) => void): void =>
  effects.bench.store.beginCallsBy({
    reserve: (call) => by.reserve(call),
    release: (call) => by.release(call),
    giveBack: (call) => void by.giveBack(call),
    begin: (call) => {
      begun.push(call);
      run(call);
    },
  });

beforeAll(async () => {
  effects = await EffectsBench.open();
});
beforeEach(async () => {
  await effects.reset();
  begun.length = 0;
  runs = [];
  runner = effects.newRunner();
  // The runner sends a request immediately only after a claim that left slots free, because then no
  // older job is waiting for a slot.
  await runner.claim();
  beginBy(runner, (call) => runs.push(runner.run(begunJob(call))));
});
afterAll(() => effects.close());

const stateOf = async (id: string): Promise<string | undefined> =>
  (await effects.jobs(id)).at(-1)?.state;

/** Adds an open job, as if another process had queued it. */
const addJob = (kind: string, key: string, subjectId: string | null): Promise<unknown> =>
  effects.bench.admin.query(
    `INSERT INTO jobs (kind, key, subject_id, account_id, state, due_at)
     VALUES ($1, $2, $3, $4, 'stuck', now())`,
    [kind, key, subjectId, ACCOUNT],
  );

test('a provider request is sent immediately by the process that commits it, which claims the request in the same commit', async () => {
  const id = await effects.bench.requestIntent();
  expect(begun).toMatchObject([{ kind: 'create_intent', subjectId: id, subjectVersion: 1 }]);
  await Promise.all(runs);
  expect(await effects.bench.story(id)).toEqual(['IntentRequested', 'IntentCreated']);
  expect(await effects.jobs(id)).toMatchObject([{ state: 'done', tries: 1 }]);
  expect(effects.provider.asked).toEqual(['create']);
});

test('a provider request that the committing process is about to send is claimed by no other worker', async () => {
  beginBy(runner, () => undefined);
  const id = await effects.bench.requestIntent();
  expect(await stateOf(id)).toBe('running');
  expect(await effects.newRunner().claim()).toEqual([]);
});

test('a provider request whose process ended before sending it is claimed by another worker when the first claim has expired', async () => {
  beginBy(runner, () => undefined);
  const id = await effects.bench.requestIntent();
  await effects.lapse();
  await effects.runAll(effects.newRunner());
  // The first process may have sent the request, so the provider is read before the request is
  // sent.
  expect(effects.provider.asked).toEqual(['find', 'create']);
  expect(await effects.bench.story(id)).toEqual(['IntentRequested', 'IntentCreated']);
});

test('a provider request is queued while an earlier request of the same payment is open', async () => {
  const id = await effects.bench.requestIntent();
  await Promise.all(runs);
  await addJob('refund', 'earlier', id);
  begun.length = 0;
  const at = effects.bench.clock.now();
  await effects.bench.command(id, { type: 'RequestCancel', reason: 'cancellation', at });
  expect(begun).toEqual([]);
});

test('of two provider requests of one payment in one step, only the first is sent immediately', async () => {
  beginBy(runner, () => undefined);
  const id = newId('pay');
  const at = effects.bench.clock.now();
  await effects.bench.store.step(effects.bench.metadata(`ord_${id}`), async (step) => {
    await step.execute(paymentAggregate, id, {
      type: 'RequestIntent',
      orderId: `ord_${id}`,
      platformId: 'plat_1',
      accountId: ACCOUNT,
      amountMinor: 1_999,
      currency: 'eur',
      returnUrl: null,
      description: null,
      methods: ['card'],
      at,
    });
    await step.execute(paymentAggregate, id, { type: 'RequestCancel', reason: 'cancellation', at });
  });
  expect(begun.map(({ kind }) => kind)).toEqual(['create_intent']);
  expect(await effects.jobs(id)).toMatchObject([
    { kind: 'create_intent', state: 'running' },
    { kind: 'cancel', state: 'ready' },
  ]);
});

test('after a database restore, a provider request is queued until the payments of the account have been read from the provider', async () => {
  await addJob('restore.payment', 'pay_other', null);
  const id = await effects.bench.requestIntent();
  expect(begun).toEqual([]);
  expect(await stateOf(id)).toBe('ready');
});

test('a provider request is queued while the account has no free slot, or has requests that were queued before', async () => {
  beginBy(runner, () => undefined);
  const first = await Promise.all(
    Array.from({ length: LANES.calls.share }, () => effects.bench.requestIntent()),
  );
  const late = await effects.bench.requestIntent();
  expect(begun).toHaveLength(first.length);
  expect(await stateOf(late)).toBe('ready');
  // One slot is free again, but the request that was queued before has precedence.
  const [done] = begun;
  if (done !== undefined) await runner.run(begunJob(done));
  const later = await effects.bench.requestIntent();
  expect(await stateOf(later)).toBe('ready');
  expect((await runner.claim()).map(({ subjectId }) => subjectId)).toEqual([late]);
});

test('a stopping worker waits until each request that its commits have claimed has ended or is released', async () => {
  beginBy(runner, () => undefined);
  await effects.bench.requestIntent();
  const [call] = begun;
  if (call === undefined) throw new Error('the request has begun');
  let isDrained = false;
  const drained = runner.drained().then(() => (isDrained = true));
  await sleep(20);
  expect(isDrained).toBe(false);
  await runner.run(begunJob(call));
  await drained;
});

describe('a capture', () => {
  const capture = (id: string): Promise<unknown> =>
    effects.bench.command(id, {
      type: 'RequestCapture',
      captureId: 'cap_1',
      by: 'policy',
      at: effects.bench.clock.now(),
    });

  const authorized = async (): Promise<string> => {
    const id = await effects.bench.requestIntent();
    await Promise.all(runs);
    effects.provider.attempt(effects.provider.intentOf(id)?.id ?? '', 'authorized');
    await effects.refresh(id);
    effects.provider.asked.length = 0;
    return id;
  };

  test('is sent without a second read if the authorization has just been read', async () => {
    const id = await authorized();
    await capture(id);
    await Promise.all(runs);
    expect(effects.provider.asked).toEqual(['capture']);
    expect(await effects.bench.payment(id)).toMatchObject({ status: 'to_capture' });
  });

  test('is sent only after a second read of the intent, if the authorization was read two seconds before', async () => {
    const id = await authorized();
    effects.bench.clock.advance(2_000);
    await capture(id);
    await Promise.all(runs);
    expect(effects.provider.asked).toEqual(['get', 'capture']);
  });

  test('is sent only after a second read of the intent, if the clock of the process that read the authorization was ahead', async () => {
    const id = await authorized();
    effects.bench.clock.advance(-60_000);
    await capture(id);
    await Promise.all(runs);
    expect(effects.provider.asked).toEqual(['get', 'capture']);
  });

  test('is sent a second time only after a read of the intent, if the connection broke during the first request', async () => {
    const id = await authorized();
    effects.provider.failNext('capture', 'reset');
    await capture(id);
    await Promise.all(runs);
    effects.bench.clock.advance(60_000);
    await effects.runAll(runner);
    expect(effects.provider.asked).toEqual(['capture', 'get', 'attempts']);
  });
});
