import { newId } from '#kernel';
import { readPayment } from '#psp';
import { HostedAdapter } from '#psp-hosted';
import { JobsBench } from '../jobs.fixture.js';
import { TinyProvider } from '../tiny-provider.fixture.js';
import { ACCOUNT, newIntent, quiet, START, WorkerBench } from '../worker.fixture.js';
import { WebhookHandler } from './webhook-handler.js';
import { WebhookQueue } from './webhook-queue.js';

let provider: TinyProvider;
let bench: WorkerBench;
let jobs: JobsBench;

beforeAll(async () => {
  provider = await TinyProvider.start();
  bench = await WorkerBench.open(provider.url);
  const { store, clock, clientOf, pool } = bench;
  const queue = new WebhookQueue(pool);
  jobs = new JobsBench(bench, new WebhookHandler(store, queue, clock, quiet, clientOf));
});
beforeEach(async () => {
  provider.reset();
  await bench.admin.query('TRUNCATE webhooks_received, jobs');
});
afterAll(async () => {
  jobs.stop();
  await bench.close();
  await provider.stop();
});

/** Stores a webhook as the API process does. */
const receive = async (type: string, data: object, accountId = ACCOUNT): Promise<void> => {
  const body = Buffer.from(JSON.stringify({ id: newId('evt'), type, data }));
  const hint = new HostedAdapter(bench.transport).readWebhook(body);
  await bench.admin.query(
    `INSERT INTO webhooks_received
       (account_id, event_id, type, intent_id, order_id, status, body_bytes, body_sha256)
     VALUES ($1, $2, $3, $4, $5, $6, 0, '')`,
    [accountId, hint?.eventId, type, hint?.intentId, hint?.reference, hint?.status],
  );
};

const handleAll = async (): Promise<void> => {
  while ((await jobs.round()) > 0);
};

const received = () =>
  bench.rows<{ handled: boolean; note: string; tries: number }>(
    'SELECT handled_at IS NOT NULL AS handled, note, tries FROM webhooks_received ORDER BY id',
  );

/** A payment that the payer has authorized at the provider, which is not recorded yet. */
const paidUnseen = async (): Promise<{ id: string; intentId: string }> => {
  const id = await bench.requestIntent();
  const client = await bench.clientOf();
  const { intentId } = await client.createIntent(newIntent(id));
  provider.attempt(intentId, 'authorized');
  provider.reset();
  return { id, intentId };
};

const attemptOf = (intentId: string): object => ({
  id: provider.attempts.get(intentId)?.[0]?.id,
  status: 'authorized',
  payment_intent: intentId,
});

test('a webhook causes a read, and the read is recorded', async () => {
  const { id, intentId } = await paidUnseen();
  await receive('payment.authorized', attemptOf(intentId));
  await handleAll();
  expect(await bench.story(id)).toEqual(['IntentRequested', 'IntentCreated', 'PaymentAuthorized']);
  expect(await received()).toEqual([{ handled: true, note: 'read: authorized', tries: 1 }]);
});

test('the status in a webhook is not recorded: the worker reads the intent', async () => {
  const { id, intentId } = await paidUnseen();
  await receive('payment_intent.updated', { id: intentId, status: 'captured', amount: 1 });
  await handleAll();
  expect(await bench.payment(id)).toMatchObject({ status: 'authorized' });
});

test('duplicate and reordered webhooks of one intent are handled by one read', async () => {
  const { id, intentId } = await paidUnseen();
  await receive('payment.authorized', attemptOf(intentId));
  await receive('payment_intent.created', { id: intentId });
  await receive('payment.authorized', attemptOf(intentId));
  await handleAll();
  expect(provider.asked).toEqual(['get', 'attempts']);
  expect((await received()).every(({ handled }) => handled)).toBe(true);

  await receive('payment.authorized', attemptOf(intentId));
  await handleAll();
  expect(await bench.story(id)).toEqual(['IntentRequested', 'IntentCreated', 'PaymentAuthorized']);
});

test('a webhook causes no read when it reports a status that the payment has already left', async () => {
  const { id, intentId } = await paidUnseen();
  const named = { ...attemptOf(intentId), order_id: id };
  await receive('payment.authorized', named);
  await handleAll();
  provider.reset();
  await receive('payment.authorized', named);
  await receive('payment_intent.created', {
    id: intentId,
    order_id: id,
    status: 'require_payment_method',
  });
  await handleAll();
  expect(provider.asked).toEqual([]);
  expect((await received()).map(({ note }) => note)).toEqual([
    'read: authorized',
    'ignored: the payment’s status is already authorized',
    'ignored: the payment’s status is already authorized',
  ]);
});

test('a webhook about a payment with several captures always causes a read', async () => {
  const { id, intentId } = await paidUnseen();
  const named = { ...attemptOf(intentId), order_id: id };
  await receive('payment.authorized', named);
  await handleAll();
  const { intent, ...rest } = await readPayment(await bench.clientOf(), intentId);
  const capture = { reference: 'cap_1', captureId: 'c1', amountMinor: 500, status: 'captured' };
  await bench.command(id, {
    type: 'ObservePayment',
    paymentId: id,
    at: bench.clock.now(),
    observation: { intent: { ...intent, captures: [capture] }, ...rest },
  });
  provider.reset();
  await receive('payment.authorized', named);
  await handleAll();
  expect(provider.count('get')).toBe(1);
});

test('a worker whose claim has expired does not complete webhooks that another worker has claimed', async () => {
  const { id, intentId } = await paidUnseen();
  const named = { ...attemptOf(intentId), order_id: id };
  await receive('payment.authorized', named);
  await handleAll();
  await receive('payment.authorized', named);
  const [theirs] = await jobs.claim();
  await receive('payment.authorized', named);
  await jobs.lapse();
  const [both] = await jobs.claim();
  if (!theirs || !both) throw new Error('both webhooks were claimed');
  expect(both.askedBy).toHaveLength(2);
  await jobs.runner.run(theirs);
  expect((await received()).map(({ handled }) => handled)).toEqual([true, false, false]);
  await jobs.runner.run(both);
  expect((await received()).map(({ handled }) => handled)).toEqual([true, true, true]);
});

test('a webhook with a new status causes a read, even if webhooks with earlier statuses of the payment arrive together with it', async () => {
  const { id, intentId } = await paidUnseen();
  const named = { ...attemptOf(intentId), order_id: id };
  await receive('payment.authorized', named);
  await handleAll();
  provider.reset();
  await receive('payment.authorized', named);
  await receive('payment.to_captured', { ...named, status: 'to_capture' });
  await handleAll();
  expect(provider.asked).toEqual(['get', 'attempts']);
});

test('a webhook with our payment’s reference and a different intent causes a read of that intent, and no read of the payment’s intent', async () => {
  const { id, intentId } = await paidUnseen();
  await receive('payment.authorized', { ...attemptOf(intentId), order_id: id });
  await handleAll();
  provider.reset();
  const other = newId('pi');
  await receive('payment_intent.authorized', { id: other, order_id: id, status: 'authorized' });
  await handleAll();
  expect(provider.asked).toEqual(['get']);
});

test('a webhook that two workers have claimed is recorded only once', async () => {
  const { id, intentId } = await paidUnseen();
  await receive('payment.authorized', attemptOf(intentId));
  const [slow] = await jobs.claim();
  await jobs.lapse();
  const [fast] = await jobs.claim();
  if (!slow || !fast) throw new Error('both webhooks were claimed');
  await jobs.runner.run(fast);
  await jobs.runner.run(slow);
  expect(await bench.story(id)).toEqual(['IntentRequested', 'IntentCreated', 'PaymentAuthorized']);
});

test('a webhook that arrives during a read of the intent causes a second read', async () => {
  const { id, intentId } = await paidUnseen();
  await receive('payment.authorized', attemptOf(intentId));
  const [job] = await jobs.claim();
  if (!job) throw new Error('a webhook was claimed');
  await receive('payment_intent.updated', { id: intentId });
  await receive('payment_intent.updated', { id: intentId });
  expect(await jobs.claim()).toEqual([]);
  await jobs.runner.run(job);
  expect((await received()).map(({ handled }) => handled)).toEqual([true, false, false]);
  provider.reset();
  expect(await jobs.round()).toBe(1);
  expect(provider.count('get')).toBe(1);
  expect((await received()).every(({ handled }) => handled)).toBe(true);
  expect(await jobs.round()).toBe(0);
  expect(await bench.payment(id)).toMatchObject({ status: 'authorized' });
});

test('a webhook that concerns none of our payments is completed with a note', async () => {
  const client = await bench.clientOf();
  const foreign = await client.createIntent(newIntent(newId('x')));
  await receive('payment.authorized', { id: newId('paym'), payment_intent: foreign.intentId });
  await receive('payment.authorized', { id: newId('paym'), payment_intent: newId('pi') });
  await receive('payment.refused', { id: newId('paym'), payment_intent: null });
  await receive('customer.created', { id: newId('cust') });
  await handleAll();
  expect((await received()).map(({ note }) => note)).toEqual([
    'ignored: the intent belongs to another system',
    'the provider returns no intent: HTTP 404',
    'ignored: payment.refused names no payment intent',
    'ignored: customer.created names no payment intent',
  ]);
});

test('a webhook of one account cannot change the payment of another account', async () => {
  const { id, intentId } = await paidUnseen();
  await receive('payment.authorized', attemptOf(intentId), 'acc_other');
  await handleAll();
  expect(await bench.story(id)).toEqual(['IntentRequested']);
  expect(await received()).toMatchObject([
    { handled: true, note: 'ignored: the intent belongs to another system' },
  ]);
});

test('a webhook stays open while the provider does not respond, and is retried later', async () => {
  const { id, intentId } = await paidUnseen();
  await receive('payment.authorized', attemptOf(intentId));
  provider.failNext('get', 'html');
  await handleAll();
  expect(await received()).toMatchObject([{ handled: false, tries: 1 }]);
  await handleAll();
  expect(provider.count('get')).toBe(1);
  await jobs.lapse();
  await handleAll();
  expect(await bench.payment(id)).toMatchObject({ status: 'authorized' });
  expect(await received()).toMatchObject([{ handled: true, tries: 2 }]);
});

test('a webhook about activity of the payer restarts the polling schedule of an old open payment', async () => {
  const { id, intentId } = await paidUnseen();
  provider.attempt(intentId, 'requested', 'require_authentication');
  const dueOf = async () =>
    (await bench.rows<{ due: Date }>('SELECT due_at AS due FROM jobs WHERE key = $1', id))[0];
  await receive('payment_intent.created', { id: intentId });
  await handleAll();
  await bench.admin.query(`UPDATE jobs SET due_at = due_at + interval '6 hours' WHERE key = $1`, [
    id,
  ]);
  await receive('payment_intent.updated', { id: intentId });
  await handleAll();
  expect((await dueOf())?.due.getTime()).toBe(Date.parse(bench.clock.now()) + 30_000);
});

test('a webhook with our payment’s reference and the intent of another payment is completed, and a mismatch is recorded', async () => {
  const paid = await paidUnseen();
  await receive('payment_intent.authorized', { id: paid.intentId });
  await handleAll();
  const id = await bench.requestIntent();
  provider.misanswer = (_verb, body) => ({ ...(body as object), order_id: id, unique_id: id });
  await receive('payment_intent.authorized', { id: paid.intentId });
  await handleAll();
  expect(await bench.payment(id)).toMatchObject({ status: 'requested' });
  expect(await bench.story(id)).toEqual(['IntentRequested', 'PaymentMismatchObserved']);
  expect((await received()).map(({ handled }) => handled)).toEqual([true, true]);
});

/** Stores as many webhooks of one intent, each with its own event. */
const receiveMany = async (count: number, intentId: string, type: string): Promise<void> => {
  await bench.admin.query(
    `INSERT INTO webhooks_received
       (account_id, event_id, type, intent_id, body_bytes, body_sha256)
     SELECT $1, 'evt_' || n, $2, $3, 0, '' FROM generate_series(1, $4) AS n`,
    [ACCOUNT, type, intentId, count],
  );
};

const open = (): Promise<number> => new WebhookQueue(bench.pool).open();

test('many unhandled webhooks of one account with long types do not keep the jobs of other accounts from being claimed', async () => {
  await receiveMany(5_000, newId('pi'), `payment_intent.${'x'.repeat(64_000)}`);
  await bench.admin.query(
    `INSERT INTO jobs (kind, key, account_id, state, due_at)
     VALUES ('capture', 'job_1', 'acc_other', 'ready', $1)`,
    [START],
  );
  const claimed = await jobs.table.claim({
    now: START,
    kinds: [
      { kind: 'intent.read', lane: 'hints' },
      { kind: 'capture', lane: 'calls' },
    ],
    rooms: [
      { lane: 'hints', room: 1 },
      { lane: 'calls', room: 1 },
    ],
    load: [],
  });
  expect(claimed.map(({ kind }) => kind).sort()).toEqual(['capture', 'intent.read']);
  expect(JSON.stringify(claimed).length).toBeLessThan(50_000);
});

test('250 webhooks of one intent are handled in three runs of the job', async () => {
  const id = await bench.requestIntent();
  const { intentId } = await (await bench.clientOf()).createIntent(newIntent(id));
  provider.attempt(intentId, 'authorized');
  await receiveMany(250, intentId, 'payment_intent.updated');
  const left: number[] = [];
  while ((await jobs.round()) > 0) left.push(await open());
  expect(left).toEqual([150, 50, 0]);
  expect(await bench.payment(id)).toMatchObject({ status: 'authorized' });
});

test('250 webhooks of an intent that the provider does not return are handled in three runs of the job', async () => {
  await receiveMany(250, newId('pi'), 'payment_intent.updated');
  const left: number[] = [];
  while ((await jobs.round()) > 0) left.push(await open());
  expect(left).toEqual([150, 50, 0]);
});

test('101 webhooks of an intent whose read fails wait for the retry, and are then handled', async () => {
  const id = await bench.requestIntent();
  const { intentId } = await (await bench.clientOf()).createIntent(newIntent(id));
  provider.attempt(intentId, 'authorized');
  await receiveMany(101, intentId, 'payment_intent.updated');
  provider.reset();
  provider.failNext('get', 'html');
  await handleAll();
  expect(provider.count('get')).toBe(1);
  expect(await open()).toBe(101);
  await jobs.lapse();
  await handleAll();
  expect(provider.count('get')).toBe(3);
  expect(await open()).toBe(0);
  expect(await bench.rows(`SELECT key FROM jobs WHERE kind = 'intent.read'`)).toEqual([]);
});

test('a worker of release 0.2.0, which ends a job as if it had handled all webhooks, handles the 101st, too', async () => {
  await receiveMany(101, newId('pi'), 'payment_intent.updated');
  const queue = new WebhookQueue(bench.pool);
  const given: number[] = [];
  for (;;) {
    const [job] = await jobs.table.claim({
      now: START,
      kinds: [{ kind: 'intent.read', lane: 'hints' }],
      rooms: [{ lane: 'hints', room: 1 }],
      load: [],
    });
    if (job === undefined) break;
    const webhooks = job.askedBy as readonly { readonly id: string }[];
    given.push(webhooks.length);
    await queue.handled(
      webhooks.map(({ id }) => id),
      'read',
    );
    await jobs.table.end(job, { next: 'done' });
  }
  expect(given).toEqual([100, 1]);
});
