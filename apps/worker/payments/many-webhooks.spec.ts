import { newId } from '#kernel';
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

const receive = async (count: number, intentId: string, type: string): Promise<void> => {
  await bench.admin.query(
    `INSERT INTO webhooks_received
       (account_id, event_id, type, intent_id, body_bytes, body_sha256)
     SELECT $1, 'evt_' || n, $2, $3, 0, '' FROM generate_series(1, $4) AS n`,
    [ACCOUNT, type, intentId, count],
  );
};

const open = (): Promise<number> => new WebhookQueue(bench.pool).open();

test('many unhandled webhooks of one account with long types do not keep the jobs of other accounts from being claimed', async () => {
  await receive(5_000, newId('pi'), `payment_intent.${'x'.repeat(64_000)}`);
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
  await receive(250, intentId, 'payment_intent.updated');
  const left: number[] = [];
  while ((await jobs.round()) > 0) left.push(await open());
  expect(left).toEqual([150, 50, 0]);
  expect(await bench.payment(id)).toMatchObject({ status: 'authorized' });
});

test('250 webhooks of an intent that the provider does not return are handled in three runs of the job', async () => {
  await receive(250, newId('pi'), 'payment_intent.updated');
  const left: number[] = [];
  while ((await jobs.round()) > 0) left.push(await open());
  expect(left).toEqual([150, 50, 0]);
});
