import { randomUUID } from 'node:crypto';
import { START, WorkerBench } from '../worker.fixture.js';
import { EffectQueue } from './effect-queue.js';

let bench: WorkerBench;
let queue: EffectQueue;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
  queue = new EffectQueue(bench.pool);
});
beforeEach(() => bench.pool.query('TRUNCATE effects'));
afterAll(() => bench.close());

const addJob = async (subjectId: string, state = 'ready', dueAt: string | null = null) => {
  const jobId = randomUUID();
  await bench.pool.query(
    `INSERT INTO effects (job_id, kind, subject_id, account_id, state, due_at)
     VALUES ($1, 'capture', $2, 'acc_1', $3, $4)`, [jobId, subjectId, state, dueAt]);
  return jobId;
};

const waitingJobs = (count: number) =>
  bench.pool.query(
    `INSERT INTO effects (job_id, kind, subject_id, account_id, state, due_at)
     SELECT gen_random_uuid(), 'capture', 'pay_' || n, 'acc_1', 'waiting',
            $2::timestamptz + interval '1 hour'
       FROM generate_series(1, $1::int) n`, [count, START]);

test('of all that may be taken up the oldest come first, each subject\'s one at a time', async () => {
  const late = new Date(Date.parse(START) + 1).toISOString();
  const due = await addJob('pay_1', 'waiting', START);
  await addJob('pay_1');
  await addJob('pay_2', 'waiting', late);
  const ready = await addJob('pay_3');
  const lost = await addJob('pay_4', 'calling');
  await bench.pool.query(
    `UPDATE effects SET claimed_until = now() - interval '1 s' WHERE job_id = $1`, [lost]);
  await addJob('pay_5', 'stuck');
  await addJob('pay_5');
  const found = async (limit: number) =>
    (await queue.claim(START, limit)).map(({ jobId, found: was }) => [jobId, was]);
  expect(await found(1)).toEqual([[due, 'waiting']]);
  expect(new Map(await found(10) as [string, string][]))
    .toEqual(new Map([[ready, 'ready'], [lost, 'calling']]));
  expect(await found(10)).toEqual([]);
});

/** The best of many: what else the machine does is not the claim's. */
const fastestClaimMs = async (round: string): Promise<number> => {
  const tookMs: number[] = [];
  for (let number = 0; number < 20; number += 1) {
    const jobId = await addJob(`pay_${round}_${number}`);
    const beganAtMs = performance.now();
    expect((await queue.claim(START, 24)).map((job) => job.jobId)).toEqual([jobId]);
    tookMs.push(performance.now() - beganAtMs);
  }
  return Math.min(...tookMs);
};

test('a claim does not look through what is not due', async () => {
  const aloneMs = await fastestClaimMs('alone');
  await waitingJobs(50_000);
  expect(await fastestClaimMs('crowded')).toBeLessThan(3 * aloneMs + 2);
});

test('holding on to claims does not wait for a commit that ends some', async () => {
  for (const subject of ['pay_1', 'pay_2', 'pay_3']) await addJob(subject);
  const jobs = await queue.claim(START, 10);
  const [first, ending, last] = jobs.map(({ jobId }) => jobId).toSorted();
  const commit = await bench.pool.connect();
  try {
    await commit.query('BEGIN');
    await commit.query('SELECT FROM effects WHERE job_id = $1 FOR UPDATE', [ending]);
    expect((await queue.extend(jobs)).toSorted()).toEqual([first, last]);
    await commit.query('COMMIT');
  } finally {
    commit.release(true);
  }
  expect(await queue.extend(jobs)).toHaveLength(3);
});

test('a claim that is another\'s by now is not extended', async () => {
  await addJob('pay_1');
  const [job] = await queue.claim(START, 1);
  await bench.pool.query(`UPDATE effects SET claimed_until = now() - interval '1 s'`);
  const [theirs] = await queue.claim(START, 1);
  if (!job || !theirs) throw new Error('both were claimed');
  expect(await queue.extend([job])).toEqual([]);
  expect(await queue.extend([theirs])).toEqual([theirs.jobId]);
});
