import { randomUUID } from 'node:crypto';
import { gate, waitFor } from '#testing';
import { AccountShares } from '../loop/account-shares.js';
import { WorkLoop } from '../loop/work-loop.js';
import { quiet, START, WorkerBench } from '../worker.fixture.js';
import type { EffectJob } from './effect-job.js';
import { EffectQueue } from './effect-queue.js';

let bench: WorkerBench;
let queue: EffectQueue;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
  queue = new EffectQueue(bench.pool);
});
beforeEach(() => bench.admin.query('TRUNCATE effects'));
afterAll(() => bench.close());

const addJob = async (
  subjectId: string, state = 'ready', dueAt: string | null = null, accountId = 'acc_1',
) => {
  const jobId = randomUUID();
  await bench.admin.query(
    `INSERT INTO effects (job_id, kind, subject_id, account_id, state, due_at)
     VALUES ($1, 'capture', $2, $5, $3, $4)`, [jobId, subjectId, state, dueAt, accountId]);
  return jobId;
};

const waitingJobs = (count: number) =>
  bench.admin.query(
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
  await bench.admin.query(
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

/** How many rows a claim reads. */
const readByClaim = async (full: readonly string[]): Promise<number> => {
  const client = await bench.pool.connect();
  const read = async (): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables
        WHERE relname = 'effects'`);
    return Number(rows[0]?.count);
  };
  try {
    await client.query('BEGIN');
    // What the connection did before is counted, too.
    const before = await read();
    await client.query('SELECT * FROM claim_effects($1, 24, 15000, $2, $3, 24)', [
      START, full, full.map(() => 24)]);
    const after = await read();
    await client.query('ROLLBACK');
    return after - before;
  } finally {
    client.release();
  }
};

describe('the jobs of many accounts', () => {
  const of = async (accountId: string, count: number, due: string | null = null): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await addJob(`pay_${accountId}_${n}`, due === null ? 'ready' : 'waiting', due, accountId);
    }
  };
  const claimed = async (limit: number, running: Readonly<Record<string, number>>, most = 6) => {
    const jobs = await queue.claim(START, limit, {
      accounts: Object.keys(running), running: Object.values(running), most,
    });
    const counts: Record<string, number> = {};
    for (const { accountId } of jobs) counts[accountId] = (counts[accountId] ?? 0) + 1;
    return counts;
  };

  test.each([null, START])('have turns, however many one has before the others (%s)', async (due) => {
    await of('slow', 40, due);
    await of('a', 2, due);
    await of('b', 1, due);
    expect(await claimed(3, {})).toEqual({ slow: 1, a: 1, b: 1 });
    expect(await claimed(8, { slow: 1, a: 1, b: 1 })).toEqual({ slow: 5, a: 1 });
    expect(await claimed(8, { slow: 6 })).toEqual({});
  });

  test('begin with that of which least is under way', async () => {
    await of('slow', 9);
    await of('other', 9);
    await of('quick', 2);
    expect(await claimed(2, { slow: 5, other: 4 })).toEqual({ quick: 2 });
    expect(await claimed(2, { slow: 5, other: 4, quick: 2 })).toEqual({ other: 1, slow: 1 });
  });

  test('are made while those of a slow one are not answered', async () => {
    await of('slow', 120);
    const answered = gate();
    const made: string[] = [];
    const shares = new AccountShares(24, () => loop.wake());
    const loop: WorkLoop<EffectJob> = new WorkLoop<EffectJob>({
      name: 'spec', logger: quiet, width: 36, idleMs: { first: 1, widest: 5 },
      claim: (limit) => queue.claim(START, limit, shares.load()),
      run: (job) => shares.during(job.accountId, async () => {
        if (job.accountId === 'slow') await answered.opened;
        made.push(job.accountId);
        await bench.admin.query(`UPDATE effects SET state = 'done' WHERE job_id = $1`, [job.jobId]);
      }),
    });
    loop.start();
    await waitFor(() => shares.full().includes('slow'));
    for (let n = 0; n < 99; n += 1) await of(`healthy_${n}`, 1);
    await waitFor(() => made.length === 99);
    expect(made).not.toContain('slow');
    answered.open();
    await waitFor(() => made.length === 219);
    await loop.stop();
  });

  const leftBy = (accountId: string) => bench.pool.query(
    `UPDATE effects SET state = 'calling', claimed_until = now() - interval '1 s'
      WHERE account_id = $1`, [accountId]);

  test('that dead workers left are taken, however many a full account has before them', async () => {
    await of('slow', 48);
    await of('a', 2);
    await leftBy('slow');
    await leftBy('a');
    expect(await claimed(12, { slow: 24 }, 24)).toEqual({ a: 2 });
    expect(await claimed(12, { slow: 20 }, 24)).toEqual({ slow: 4 });
  });

  test.each(['ready', 'waiting'])('that are %s are not looked through for a held account', async (state) => {
    await bench.admin.query(
      `INSERT INTO effects (job_id, kind, subject_id, account_id, state, due_at)
       SELECT gen_random_uuid(), 'capture', 'pay_' || n, 'held', $2, $1
         FROM generate_series(1, 2000) n`, [START, state]);
    await of('a', 1);
    expect(await readByClaim(['held'])).toBeLessThan(100);
    await bench.admin.query(`INSERT INTO restore_reads VALUES ('pay_1', 'held')`);
    try {
      expect(await readByClaim([])).toBeLessThan(100);
      expect(await claimed(24, {})).toEqual({ a: 1 });
    } finally {
      await bench.admin.query('DELETE FROM restore_reads');
    }
  });

  test('of one account alone take all of its share', async () => {
    await of('slow', 40);
    expect(await claimed(24, {}, 24)).toEqual({ slow: 24 });
    expect(await claimed(24, { slow: 23 }, 24)).toEqual({ slow: 1 });
  });
});

/** The best of many: what else the machine does is not the claim's. */
test('a claim does not look through what is not due', async () => {
  await waitingJobs(50_000);
  expect(await readByClaim([])).toBeLessThan(100);
});

test('holding on to claims does not wait for a commit that ends some', async () => {
  for (const subject of ['pay_1', 'pay_2', 'pay_3']) await addJob(subject);
  const jobs = await queue.claim(START, 10);
  const [first, ending, last] = jobs.map(({ jobId }) => jobId).toSorted();
  const commit = await bench.admin.connect();
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
  await bench.admin.query(`UPDATE effects SET claimed_until = now() - interval '1 s'`);
  const [theirs] = await queue.claim(START, 1);
  if (!job || !theirs) throw new Error('both were claimed');
  expect(await queue.extend([job])).toEqual([]);
  expect(await queue.extend([theirs])).toEqual([theirs.jobId]);
});
