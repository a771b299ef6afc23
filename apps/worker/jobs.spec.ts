import { randomUUID } from 'node:crypto';
import { type Job, type JobKind, JobRunner, JobTable, LANES, type LaneName, WorkLoop } from '#jobs';
import { gate, waitFor } from '#testing';
import { quiet, START, WorkerBench } from './worker.fixture.js';

let bench: WorkerBench;
let table: JobTable;

beforeAll(async () => {
  bench = await WorkerBench.open('http://127.0.0.1:9');
  table = new JobTable(bench.pool);
});
beforeEach(() => bench.admin.query('TRUNCATE jobs'));
afterAll(() => bench.close());

interface Asked {
  readonly kind?: string;
  readonly state?: string;
  readonly dueAt?: string;
  readonly accountId?: string;
}

/**
 * Adds a job for a payment or merchant, like the job of a queued provider call; returns the job's
 * key.
 */
const addJob = async (
  subjectId: string | null,
  { kind = 'capture', state = 'ready', dueAt = START, accountId = 'acc_1' }: Asked = {},
): Promise<string> => {
  const key = randomUUID();
  await bench.admin.query(
    `INSERT INTO jobs (kind, key, subject_id, account_id, state, due_at, claim)
     VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $5 <> 'ready' THEN gen_random_uuid() END)`,
    [kind, key, subjectId, accountId, state, dueAt],
  );
  return key;
};

/**
 * Adds the job that reads a payment of the account `held` from the provider after a database
 * restore; until then, all calls of the account must wait.
 */
const holdAccount = (): Promise<string> =>
  addJob(null, { kind: 'restore.payment', state: 'waiting', accountId: 'held' });

interface Load {
  readonly [accountId: string]: number;
}

const claimIn = (
  lane: LaneName,
  room: number,
  running: Load = {},
  kind = 'capture',
): Promise<readonly Job[]> =>
  table.claim({
    now: START,
    kinds: [{ kind, lane }],
    rooms: [{ lane, room }],
    load: Object.entries(running).map(([accountId, count]) => ({
      lane,
      accountId,
      running: count,
    })),
  });

const claim = (room: number, running: Load = {}): Promise<readonly Job[]> =>
  claimIn('calls', room, running);

test('a worker claims the oldest ready jobs first, but only one job at a time for each payment or merchant', async () => {
  const at = (ms: number) => new Date(Date.parse(START) + ms).toISOString();
  const due = await addJob('pay_1', { state: 'waiting', dueAt: at(-3) });
  await addJob('pay_1');
  await addJob('pay_2', { state: 'waiting', dueAt: at(1) });
  const ready = await addJob('pay_3', { dueAt: at(-2) });
  const lost = await addJob('pay_4', { state: 'running', dueAt: at(-1) });
  await bench.admin.query(`UPDATE jobs SET held_until = now() - interval '1 s' WHERE key = $1`, [
    lost,
  ]);
  await addJob('pay_5', { state: 'stuck' });
  await addJob('pay_5');
  const found = async (room: number) =>
    (await claim(room)).map(({ key, found: was }) => [key, was]);
  expect(await found(1)).toEqual([[due, 'waiting']]);
  expect(new Map((await found(10)) as [string, string][])).toEqual(
    new Map([
      [ready, 'ready'],
      [lost, 'running'],
    ]),
  );
  expect(await found(10)).toEqual([]);
});

test('a worker whose clock is wrong claims provider calls, but no scheduled jobs', async () => {
  const run = (): Promise<void> => Promise.resolve();
  const kinds: readonly JobKind[] = [
    { kind: 'capture', lane: 'calls', run },
    { kind: 'payment.read', lane: 'reads', run },
  ];
  const call = await addJob('pay_1');
  const read = await addJob(null, { kind: 'payment.read' });
  const claimedBy = async (now: typeof START | null): Promise<readonly string[]> => {
    const runner = new JobRunner({ table, logger: quiet, now: () => now });
    runner.register(...kinds);
    const jobs = await runner.claim();
    runner.stop();
    return jobs.map(({ key }) => key);
  };
  expect(await claimedBy(null)).toEqual([call]);
  expect(await claimedBy(START)).toEqual([read]);
});

test('the metrics do not count a provider call as ready while an earlier call of the same payment or merchant is open', async () => {
  await addJob('pay_1', { state: 'stuck' });
  await addJob('pay_1');
  expect((await table.due(START, ['capture'])).due).toBe(0);
  await addJob('pay_2');
  expect((await table.due(START, ['capture'])).due).toBe(1);
});

/** The number of rows that the claim query reads. */
const readByClaim = async (full: readonly string[]): Promise<number> => {
  const client = await bench.pool.connect();
  const read = async (): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables
        WHERE relname = 'jobs'`,
    );
    return Number(rows[0]?.count);
  };
  try {
    await client.query('BEGIN');
    // The counters include the connection's earlier queries, which are subtracted below.
    const before = await read();
    await client.query(
      `SELECT * FROM claim_jobs($1, 15000, '{capture}', '{calls}', '{calls}', '{24}', '{24}',
                                $2, $3, $4)`,
      [START, full.map(() => 'calls'), full, full.map(() => 24)],
    );
    const after = await read();
    await client.query('ROLLBACK');
    return after - before;
  } finally {
    client.release();
  }
};

describe('the jobs of provider accounts', () => {
  const of = async (accountId: string, count: number, more: Asked = {}): Promise<void> => {
    for (let n = 0; n < count; n += 1)
      await addJob(`pay_${accountId}_${n}`, { ...more, accountId });
  };
  const claimed = async (room: number, running: Load) => {
    const counts: Record<string, number> = {};
    for (const { accountId } of await claim(room, running)) {
      counts[accountId ?? ''] = (counts[accountId ?? ''] ?? 0) + 1;
    }
    return counts;
  };

  test.each(['ready', 'waiting'])(
    'are claimed from each account in turn, even if one account queued many jobs before the others (%s)',
    async (state) => {
      await of('slow', 40, { state });
      await of('a', 2, { state });
      await of('b', 1, { state });
      expect(await claimed(3, {})).toEqual({ slow: 1, a: 1, b: 1 });
      expect(await claimed(8, { slow: 19, a: 1, b: 1 })).toEqual({ slow: 5, a: 1 });
      expect(await claimed(8, { slow: 24 })).toEqual({});
    },
  );

  test('are claimed first for the account with the fewest running jobs', async () => {
    await of('slow', 9);
    await of('other', 9);
    await of('quick', 2);
    expect(await claimed(2, { slow: 5, other: 4 })).toEqual({ quick: 2 });
    expect(await claimed(2, { slow: 5, other: 4, quick: 2 })).toEqual({ other: 1, slow: 1 });
  });

  test.each(Object.keys(LANES) as LaneName[])(
    'are run for the other accounts while the jobs of one slow account do not end (%s)',
    async (lane) => {
      const answered = gate();
      const done: string[] = [];
      const kind: JobKind = {
        kind: 'spec',
        lane,
        run: async ({ accountId }) => {
          if (accountId === 'slow') await answered.opened;
          done.push(accountId ?? '');
          return { next: 'done' };
        },
      };
      const { share, width } = LANES[lane];
      const runner = new JobRunner({ table, logger: quiet, now: () => START }, () => loop.wake());
      runner.register(kind);
      const loop: WorkLoop<Job> = new WorkLoop<Job>({
        name: 'spec',
        logger: quiet,
        width: 100,
        idleMs: { first: 1, longest: 5 },
        claim: () => runner.claim(),
        run: (job) => runner.run(job),
      });
      for (let n = 0; n < 120; n += 1) await addJob(null, { kind: 'spec', accountId: 'slow' });
      loop.start();
      await waitFor(() => runner.lanes.load().some(({ running }) => running === share));
      for (let n = 0; n < 99; n += 1)
        await addJob(null, { kind: 'spec', accountId: `healthy_${n}` });
      if (share < width) {
        await waitFor(() => done.length === 99);
        expect(done).not.toContain('slow');
      }
      answered.open();
      await waitFor(() => done.length === 219);
      await loop.stop();
      runner.stop();
    },
  );

  const leftBy = (accountId: string) =>
    bench.pool.query(
      `UPDATE jobs SET state = 'running', held_until = now() - interval '1 s'
      WHERE account_id = $1`,
      [accountId],
    );

  test('are claimed again after their worker has crashed, even if an account at its limit of running jobs has older jobs', async () => {
    await of('slow', 48);
    await of('a', 2);
    await leftBy('slow');
    await leftBy('a');
    expect(await claimed(12, { slow: 24 })).toEqual({ a: 2 });
    expect(await claimed(12, { slow: 20 })).toEqual({ slow: 4 });
  });

  test('are claimed without a scan of the jobs of a blocked account', async () => {
    await bench.admin.query(
      `INSERT INTO jobs (kind, key, subject_id, account_id, state, due_at)
       SELECT 'capture', gen_random_uuid(), 'pay_' || n, 'held', 'ready', $1
         FROM generate_series(1, 2000) n`,
      [START],
    );
    await of('a', 1);
    expect(await readByClaim(['held'])).toBeLessThan(100);
    await holdAccount();
    try {
      expect(await readByClaim([])).toBeLessThan(100);
      expect(await claimed(24, {})).toEqual({ a: 1 });
    } finally {
      await bench.admin.query(`DELETE FROM jobs WHERE kind = 'restore.payment'`);
    }
  });

  test('may use all slots if only one account has jobs', async () => {
    await of('slow', 40);
    expect(await claimed(36, {})).toEqual({ slow: 24 });
    expect(await claimed(36, { slow: 23 })).toEqual({ slow: 1 });
  });
});

test('after a database restore, a worker sends no provider call for an account before the account’s payments have been read from the provider', async () => {
  await addJob('pay_1', { accountId: 'held' });
  const read = await addJob(null, { kind: 'payment.read', accountId: 'held' });
  await holdAccount();
  try {
    expect(await claim(10)).toEqual([]);
    expect(await claimIn('reads', 10, {}, 'payment.read')).toMatchObject([{ key: read }]);
  } finally {
    await bench.admin.query(`DELETE FROM jobs WHERE kind = 'restore.payment'`);
  }
});

test('a job of a kind that no worker runs stays queued and delays no other job', async () => {
  await addJob(null, { kind: 'newer' });
  const known = await addJob(null);
  expect((await claim(10)).map(({ key }) => key)).toEqual([known]);
});

test('a claim of jobs does not scan jobs that are not due', async () => {
  await bench.admin.query(
    `INSERT INTO jobs (kind, key, subject_id, account_id, due_at)
     SELECT 'capture', gen_random_uuid(), 'pay_' || n, 'acc_1', $1::timestamptz + interval '1 hour'
       FROM generate_series(1, 10000) n`,
    [START],
  );
  expect(await readByClaim([])).toBeLessThan(100);
});

test('a failed job is retried after growing intervals, and postponing the job does not count as a try', async () => {
  await addJob(null);
  const [first] = await claim(1);
  if (!first) throw new Error('a job was claimed');
  await table.failed(first, 60_000, 'it broke');
  expect(await claim(1)).toEqual([]);
  await bench.admin.query('UPDATE jobs SET held_until = now()');
  const [second] = await claim(1);
  if (!second) throw new Error('the job was claimed again');
  expect(second).toMatchObject({ attempts: 2, found: 'waiting' });
  await table.end(second, { next: 'later', waitMs: 0 });
  expect(await claim(1)).toMatchObject([{ attempts: 2 }]);
});

test('a worker extends its claims on jobs even while the commit of one job is slow', async () => {
  for (const subject of ['pay_1', 'pay_2', 'pay_3']) await addJob(subject);
  const jobs = (await claim(10)).toSorted((a, b) => a.key.localeCompare(b.key));
  const [first, ending, last] = jobs;
  const commit = await bench.admin.connect();
  try {
    await commit.query('BEGIN');
    await commit.query('SELECT FROM jobs WHERE key = $1 FOR UPDATE', [ending?.key]);
    expect(new Set(await table.extend(jobs))).toEqual(new Set([first?.claim, last?.claim]));
    await commit.query('COMMIT');
  } finally {
    commit.release(true);
  }
  expect(await table.extend(jobs)).toHaveLength(3);
});

test('a worker does not extend its claim on a job that another worker has claimed meanwhile', async () => {
  await addJob('pay_1');
  const [job] = await claim(1);
  await bench.admin.query(`UPDATE jobs SET held_until = now() - interval '1 s'`);
  const [theirs] = await claim(1);
  if (!job || !theirs) throw new Error('both jobs were claimed');
  expect(await table.extend([job])).toEqual([]);
  expect(await table.extend([theirs])).toEqual([theirs.claim]);
});

test('a worker ends no job that another worker has claimed meanwhile', async () => {
  const key = await addJob('pay_1');
  const [lapsed] = await claim(1);
  await bench.admin.query(`UPDATE jobs SET held_until = now() - interval '1 s'`);
  const [theirs] = await claim(1);
  if (!lapsed || !theirs) throw new Error('both workers claimed the job');
  await table.end(lapsed, { next: 'done' });
  await table.end(lapsed, { next: 'later', waitMs: 0 });
  await table.failed(lapsed, 60_000, 'it broke');
  await expect(table.save(lapsed, {})).rejects.toThrow('another worker');
  const ofKey = 'SELECT state, claim FROM jobs WHERE key = $1';
  expect((await bench.admin.query(ofKey, [key])).rows).toEqual([
    { state: 'running', claim: theirs.claim },
  ]);
  await table.end(theirs, { next: 'done' });
  expect((await bench.admin.query(ofKey, [key])).rows).toEqual([]);
});
