import { DAY_MS, type Instant, MINUTE_MS, plusMs } from '#kernel';
import { PAYMENT_READ_DEADLINE } from '#payment';
import { intentOnly } from '#psp';
import { JobsBench } from '../jobs.fixture.js';
import { TinyProvider } from '../tiny-provider.fixture.js';
import { newIntent, quiet, WorkerBench } from '../worker.fixture.js';
import { PaymentPoller, UNANSWERED_RETRY_MS } from './payment-poller.js';

let provider: TinyProvider;
let bench: WorkerBench;
let jobs: JobsBench;

beforeAll(async () => {
  provider = await TinyProvider.start();
  bench = await WorkerBench.open(provider.url);
  const { store, clock, clientOf } = bench;
  jobs = new JobsBench(bench, new PaymentPoller(store, clock, quiet, clientOf));
});
beforeEach(async () => {
  provider.reset();
  await bench.admin.query('TRUNCATE jobs');
});
afterAll(async () => {
  jobs.stop();
  await bench.close();
  await provider.stop();
});

const runDue = (): Promise<number> => jobs.round();

/** Creates a payment with an intent, whose first read is scheduled. */
const openPayment = async (): Promise<{ id: string; intentId: string }> => {
  const id = await bench.requestIntent();
  const client = await bench.clientOf();
  const made = await client.createIntent(newIntent(id));
  const observation = intentOnly(made);
  await bench.command(id, {
    type: 'ObservePayment',
    paymentId: id,
    observation,
    at: bench.clock.now(),
  });
  return { id, intentId: made.intentId };
};

const nextRead = async (id: string): Promise<{ dueAt: Instant; tries: number } | undefined> => {
  const [row] = await bench.rows<{ due_at: Date; tries: number | null }>(
    `SELECT due_at, (progress ->> 'tries')::int AS tries FROM jobs WHERE kind = $1 AND key = $2`,
    PAYMENT_READ_DEADLINE,
    id,
  );
  return row && { dueAt: row.due_at.toISOString() as Instant, tries: row.tries ?? 0 };
};

test('a poll that shows nothing new lengthens the interval to the next poll', async () => {
  const { id } = await openPayment();
  expect(await runDue()).toBe(0);
  const seen: number[] = [];
  for (let read = 0; read < 4; read += 1) {
    const due = await nextRead(id);
    seen.push(Date.parse(due?.dueAt ?? '') - Date.parse(bench.clock.now()));
    bench.clock.advance(seen.at(-1) ?? 0);
    expect(await runDue()).toBe(1);
  }
  expect(seen).toEqual([30_000, 60_000, 120_000, 240_000]);
  expect(await nextRead(id)).toMatchObject({ tries: 4 });
  expect(await bench.story(id)).toEqual(['IntentRequested', 'IntentCreated']);
});

test('a read records a change that no webhook reported, and schedules the next read by the new status', async () => {
  const { id, intentId } = await openPayment();
  provider.attempt(intentId, 'authorized');
  bench.clock.advance(MINUTE_MS);
  await runDue();
  expect(await bench.payment(id)).toMatchObject({ status: 'authorized' });
  const next = plusMs(bench.clock.now(), 15 * MINUTE_MS);
  expect(await nextRead(id)).toEqual({ dueAt: next, tries: 0 });
});

test('a refused payment attempt restarts the polling schedule', async () => {
  const { id, intentId } = await openPayment();
  bench.clock.advance(MINUTE_MS);
  await runDue();
  provider.attempt(intentId, 'refused', 'require_payment_method');
  bench.clock.advance(MINUTE_MS);
  await runDue();
  expect(await bench.story(id)).toContain('AttemptRefused');
  expect(await nextRead(id)).toEqual({ dueAt: plusMs(bench.clock.now(), 30_000), tries: 0 });
});

test('a payment that has ended is not polled any more', async () => {
  const { id, intentId } = await openPayment();
  const intent = provider.intents.get(intentId);
  if (intent) intent.status = 'canceled';
  bench.clock.advance(MINUTE_MS);
  await runDue();
  expect(await bench.payment(id)).toMatchObject({ status: 'canceled' });
  expect(await nextRead(id)).toBeUndefined();
});

test('a poll is retried every minute while the provider is down, and the retries do not lengthen the polling interval', async () => {
  const { id } = await openPayment();
  provider.failNext('get', 'html');
  bench.clock.advance(MINUTE_MS);
  await runDue();
  expect(await nextRead(id)).toEqual({ dueAt: plusMs(bench.clock.now(), MINUTE_MS), tries: 0 });
  expect(await runDue()).toBe(0);
  bench.clock.advance(MINUTE_MS);
  await runDue();
  expect(await nextRead(id)).toMatchObject({ tries: 1 });
});

/** The value of the metric of overdue polls, in seconds. */
const overdue = (): Promise<number> =>
  jobs.table.overdueSeconds(bench.clock.now(), PAYMENT_READ_DEADLINE, UNANSWERED_RETRY_MS);

test('a poll to which the provider does not respond is overdue since it was first due', async () => {
  const { id } = await openPayment();
  provider.failNext('get', 'html', 60);
  bench.clock.advance(30_000);
  for (let minute = 0; minute < 60; minute += 1) {
    await runDue();
    bench.clock.advance(MINUTE_MS);
  }
  expect(await overdue()).toBe(3_600);
  await runDue();
  expect(await nextRead(id)).toMatchObject({ tries: 1 });
  expect(await overdue()).toBe(0);
});

test('a poll that fails because of a bug is overdue', async () => {
  await openPayment();
  bench.clock.advance(30_000);
  const { store, clock } = bench;
  const broken = new JobsBench(
    bench,
    new PaymentPoller(store, clock, quiet, () => Promise.reject(new Error('a bug'))),
  );
  expect(await broken.round()).toBe(1);
  broken.stop();
  bench.clock.advance(2 * MINUTE_MS);
  expect(await overdue()).toBe(120);
});

test('a payment whose intent the provider no longer has is reported as a mismatch, once', async () => {
  const { id, intentId } = await openPayment();
  provider.intents.delete(intentId);
  for (let read = 0; read < 3; read += 1) {
    bench.clock.advance(DAY_MS);
    await runDue();
  }
  expect(await bench.payment(id)).toMatchObject({
    status: 'open',
    mismatches: [`intent:${intentId}:no such intent`],
  });
  expect(await nextRead(id)).toMatchObject({ tries: 3 });
  expect(await overdue()).toBe(0);
});

test('two workers never claim the same poll, and a poll that is no longer needed is dropped', async () => {
  const { id } = await openPayment();
  bench.clock.advance(MINUTE_MS);
  const [first, second] = await Promise.all([jobs.claim(), jobs.claim()]);
  expect(first.length + second.length).toBe(1);
  const [job] = [...first, ...second];
  if (!job) throw new Error('a read was claimed');
  await jobs.runner.run(job);
  const next = await nextRead(id);
  await jobs.runner.run(job);
  expect(await nextRead(id)).toEqual(next);
});

test('a poll that was rescheduled during its execution runs again at the new time', async () => {
  const { id } = await openPayment();
  bench.clock.advance(MINUTE_MS);
  const [job] = await jobs.claim();
  if (!job) throw new Error('a read was claimed');
  const dueAt = plusMs(bench.clock.now(), DAY_MS);
  await bench.store.step(bench.metadata('anew'), (step) =>
    step.setDeadline({ kind: PAYMENT_READ_DEADLINE, key: id, dueAt }),
  );
  await jobs.runner.run(job);
  expect(await nextRead(id)).toEqual({ dueAt, tries: 0 });
});
