import { DAY_MS, HOUR_MS, plusMs } from '#kernel';
import type { EventMessage } from '#messaging';
import { MerchantBench } from '../merchants/merchants.fixture.js';
import { OnboardingRunner } from './onboarding-runner.js';

let bench: MerchantBench;
let runner: OnboardingRunner;

beforeAll(async () => {
  bench = await MerchantBench.open();
  const { store, clock } = bench.worker;
  runner = new OnboardingRunner(store, clock, bench.details);
});
beforeEach(async () => {
  bench.partner.reset();
  await bench.worker.pool.query('TRUNCATE effects, deadlines');
});
afterAll(() => bench.close());


/** Tells the onboarding, as its topic would, everything that it has not been told. */
class Topic {
  private told = 0;

  constructor(private readonly id: string) {}

  async tellAll(): Promise<void> {
    const { store } = bench.worker;
    for (;;) {
      const events = await store.readStreams([{ streamType: 'merchant', streamId: this.id }]);
      const next: EventMessage | undefined = events[this.told];
      if (next === undefined) return;
      this.told += 1;
      const { handles, handle } = runner.subscription;
      if (!handles.has(next.type)) continue;
      await store.step(next.metadata, (step) => handle(next, step));
    }
  }
}

const deadlinesOf = (key: string): Promise<readonly { kind: string; due_at: Date }[]> =>
  bench.worker.rows('SELECT kind, due_at FROM deadlines WHERE key = $1 ORDER BY kind', key);

const detailsOf = (id: string): Promise<readonly object[]> =>
  bench.worker.rows('SELECT ref FROM merchant_details WHERE merchant_id = $1', id);

test('a draft is registered, given the link, followed, and opened with its keys', async () => {
  const id = await bench.request({ firstTerminal: 'Counter' });
  const topic = new Topic(id);
  await topic.tellAll();
  await bench.runAll();
  await topic.tellAll();
  expect(await bench.merchant(id)).toMatchObject({ status: 'notComplete', linkOffered: true });
  expect((await deadlinesOf(id)).map(({ kind }) => kind))
    .toEqual(['merchant.requirements', 'onboarding.silence']);
  const companyId = bench.partner.companies()[0]?.id ?? '';
  for (const status of ['pendingActivation', 'validated', 'available'] as const) {
    await bench.follow({ id, companyId }, status);
    await topic.tellAll();
    await bench.runAll();
  }
  await topic.tellAll();
  expect(await bench.merchant(id)).toMatchObject({
    status: 'available', openForOrders: true, terminals: [{ name: 'Counter' }],
  });
  expect((await deadlinesOf(id)).map(({ kind }) => kind)).not.toContain('onboarding.silence');
  expect(bench.partner.count('order')).toBe(1);
});

test('who they are is kept until the provider has it', async () => {
  const id = await bench.request();
  const topic = new Topic(id);
  await topic.tellAll();
  expect(await detailsOf(id)).toHaveLength(1);
  await bench.runAll();
  await topic.tellAll();
  expect(await detailsOf(id)).toEqual([]);
  const at = bench.worker.clock.now();
  const detailsRef = await bench.details.keep(id, bench.body());
  await bench.command(id, { type: 'ReviseDetails', detailsRef, fields: ['iban'], at });
  await topic.tellAll();
  expect(await detailsOf(id)).toEqual([]);
});

test('who they are is erased on request', async () => {
  const id = await bench.request();
  await bench.command(id, { type: 'ErasePersonalData', at: bench.worker.clock.now() });
  await new Topic(id).tellAll();
  expect(await detailsOf(id)).toEqual([]);
});

test('a registration of unknown outcome is looked for at once', async () => {
  bench.partner.failNext('create', 'reset');
  const id = await bench.request();
  const topic = new Topic(id);
  await topic.tellAll();
  await bench.runAll();
  await topic.tellAll();
  expect(await deadlinesOf(id)).toContainEqual({
    kind: 'merchant.company', due_at: new Date(bench.worker.clock.now()),
  });
});

test('a company that shows nothing new is reported to ops, and read', async () => {
  const { id, companyId } = await bench.registered();
  const topic = new Topic(id);
  await topic.tellAll();
  await bench.follow({ id, companyId }, 'pendingActivation');
  await topic.tellAll();
  const { clock } = bench.worker;
  const dueAt = plusMs(clock.now(), 7 * DAY_MS);
  expect(await deadlinesOf(id)).toContainEqual({
    kind: 'onboarding.silence', due_at: new Date(dueAt),
  });
  clock.advance(7 * DAY_MS);
  await runner.deadlines.handle({ kind: 'onboarding.silence', key: id, dueAt, tries: 0 });
  expect(await bench.merchant(id)).toMatchObject({ silent: true });
  expect(await deadlinesOf(id)).toEqual(expect.arrayContaining([
    { kind: 'merchant.company', due_at: new Date(clock.now()) },
    { kind: 'onboarding.silence', due_at: new Date(plusMs(clock.now(), 7 * DAY_MS)) },
  ]));
});

test('a registration that nobody hears of is reported after an hour', async () => {
  const id = await bench.request();
  await new Topic(id).tellAll();
  const dueAt = plusMs(bench.worker.clock.now(), HOUR_MS);
  expect(await deadlinesOf(id)).toEqual([
    { kind: 'onboarding.silence', due_at: new Date(dueAt) },
  ]);
});
