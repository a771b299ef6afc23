import fc from 'fast-check';
import { type ClaimRequest, ClaimLapsed, type Job, type JobEnd, JobTable } from '#jobs';
import { type Instant, parseInstant, plusMs } from '#kernel';
import { EMPTY_STEP, PostgresLog, type Step } from '#log';
import { contractDatabase } from './contract-database.fixture.js';
import { jobName, SimulatedDatabase } from './ports/database.js';
import { directly } from './ports/exchange.js';
import { simulatedJobs } from './ports/jobs.js';
import { simulatedLog } from './ports/log.js';
import { contractRuns } from './contract-runs.js';

/**
 * Executes the same random operations on the simulated job queue and on PostgreSQL's: workers
 * request, claim, extend, end and put back jobs, and claims and backoffs expire. Each claim must
 * return the same jobs from both queues, and in the end both must contain the same jobs.
 */

const AT = parseInstant('2030-03-06T12:00:00Z');
const AT_MS = Date.parse(AT);
const HOUR_MS = 3_600_000;
type Work = Pick<JobTable, 'claim' | 'extend' | 'end' | 'failed' | 'giveBack' | 'save'>;
type Commit = (step: Step) => Promise<unknown>;

/** One of the two compared job queues, with the claims that it has issued, the oldest first. */
interface Side {
  readonly jobs: Work;
  readonly commit: Commit;
  readonly claimed: Job[];
  /** Lets the claim of the job, or its backoff, expire. */
  readonly expire: (job: Pick<Job, 'kind' | 'key'>) => Promise<void>;
}

/** An operation on a job queue. Its result must be the same for both queues. */
type Operation = (side: Side) => Promise<unknown>;

const database = contractDatabase();

const hour = fc.integer({ min: 0, max: 3 });
const instant = hour.map((hours) => plusMs(AT, hours * HOUR_MS));
const key = fc.constantFrom('k1', 'k2', 'k3');
const room = fc.integer({ min: 0, max: 3 });

/** A claimed job without its claim token, which is random. */
const plain = ({ claim: _claim, ...job }: Job) => job;

const inOrder = (jobs: readonly Job[]): readonly Job[] =>
  [...jobs].sort((a, b) => jobName(a).localeCompare(jobName(b)));

const claimed: fc.Arbitrary<Operation> = fc
  .record({ now: fc.option(instant), calls: room, timers: room })
  .map(({ now, calls, timers }) => async (side) => {
    const request: ClaimRequest = {
      now,
      kinds: [
        { kind: 'call', lane: 'calls' },
        { kind: 'timer', lane: 'timers' },
      ],
      rooms: [
        { lane: 'calls', room: calls },
        { lane: 'timers', room: timers },
      ],
      load: [],
    };
    const jobs = inOrder(await side.jobs.claim(request));
    side.claimed.push(...jobs);
    return jobs.map(plain);
  });

const timer: fc.Arbitrary<Operation> = fc
  .record({ key, dueAt: fc.option(instant), tries: hour })
  .map(
    (deadline) =>
      ({ commit }) =>
        commit({ ...EMPTY_STEP, deadlines: [{ kind: 'timer', ...deadline }] }),
  );

/** Queues a request to the provider; requests of one payment run one after another. */
const call: fc.Arbitrary<Operation> = fc
  .record({ jobId: fc.uuid(), subjectId: fc.constantFrom('a', 'b'), askedAt: instant })
  .map(
    (effect) =>
      ({ commit }) =>
        commit({
          ...EMPTY_STEP,
          effects: [{ kind: 'call', accountId: 'acc', begun: null, ...effect }],
        }),
  );

/** Retries the failed requests of a payment that are not needed any more. */
const unneeded: fc.Arbitrary<Operation> = fc.constantFrom('a', 'b').map(
  (subjectId) =>
    ({ commit }) =>
      commit({ ...EMPTY_STEP, unneeded: [{ kind: 'call', subjectId }] }),
);

/** An operation with a random claim that the queue has issued, more often a recent one. */
const withClaim = (use: (side: Side, job: Job) => Promise<unknown>): fc.Arbitrary<Operation> =>
  fc.nat({ max: 5 }).map((back) => async (side) => {
    const job = side.claimed.at(-1 - back);
    return job === undefined ? 'none' : use(side, job);
  });

const wait = fc.integer({ min: 1, max: 5 }).map((hours) => hours * HOUR_MS);

const ends: fc.Arbitrary<JobEnd> = fc.oneof(
  fc.constant<JobEnd>({ next: 'done' }),
  fc
    .record({ dueAt: instant, progress: fc.option(fc.record({ page: hour }), { nil: undefined }) })
    .map(({ dueAt, progress }): JobEnd => ({
      next: 'again',
      dueAt,
      ...(progress && { progress }),
    })),
  fc
    .record({ waitMs: wait, isTry: fc.boolean() })
    .map((end): JobEnd => ({ next: 'later', ...end })),
);

const ended = ends.chain((end) => withClaim(({ jobs }, job) => jobs.end(job, end)));

const recorded = fc
  .constantFrom<'done' | 'waiting' | 'stuck'>('done', 'waiting', 'stuck')
  .chain((state) =>
    withClaim(async ({ commit }, { kind, key: name, claim }) => {
      const left = state === 'done' ? {} : { left: { state, dueAt: null, note: 'it failed' } };
      try {
        await commit({ ...EMPTY_STEP, endedJob: { kind, key: name, claim, ...left } });
        return 'committed';
      } catch (error) {
        return (error as Error).name;
      }
    }),
  );

/** An operator's decision about a stuck job is committed only if the job is the one that was read. */
const compared = withClaim(async ({ commit }, { kind, key: name, claim }) => {
  const left = { state: 'stuck', dueAt: null, note: '' } as const;
  try {
    await commit({ ...EMPTY_STEP, endedJob: { kind, key: name, claim, expected: 'stuck', left } });
    return 'committed';
  } catch (error) {
    return (error as Error).name;
  }
});

const putBack = wait.chain((waitMs) =>
  withClaim(({ jobs }, job) => jobs.failed(job, waitMs, 'it failed')),
);

const givenBack = withClaim(({ jobs }, job) => jobs.giveBack(job));

const extended = withClaim(async ({ jobs }, job) => (await jobs.extend([job])).length);

const saved = hour.chain((page) =>
  withClaim(async ({ jobs }, job) => {
    try {
      await jobs.save(job, { page });
      return 'saved';
    } catch (error) {
      if (error instanceof ClaimLapsed) return error.name;
      throw error;
    }
  }),
);

const expired = withClaim(({ expire }, job) => expire(job));

const operation = fc.oneof(
  { arbitrary: claimed, weight: 4 },
  { arbitrary: timer, weight: 2 },
  { arbitrary: call, weight: 3 },
  { arbitrary: expired, weight: 3 },
  unneeded,
  ended,
  recorded,
  compared,
  putBack,
  givenBack,
  extended,
  saved,
);

const postgresSide = (): Side => {
  const log = new PostgresLog(database.pool);
  return {
    jobs: new JobTable(database.pool),
    commit: (step) => log.commit(step),
    claimed: [],
    expire: async ({ kind, key: name }) => {
      await database.admin.query(
        `UPDATE jobs SET held_until = clock_timestamp() - interval '1 s'
          WHERE kind = $1 AND key = $2 AND held_until IS NOT NULL`,
        [kind, name],
      );
    },
  };
};

const simulatedSide = (simulated: SimulatedDatabase): Side => {
  const log = simulatedLog(simulated, directly);
  return {
    jobs: simulatedJobs(simulated, directly, () => AT_MS),
    commit: (step) => log.commit(step),
    claimed: [],
    expire: async (job) => {
      const row = simulated.jobs.get(jobName(job));
      if (row !== undefined && row.heldUntilMs !== null) row.heldUntilMs = AT_MS - 1_000;
    },
  };
};

interface Row {
  readonly kind: string;
  readonly key: string;
  readonly state: string;
  readonly attempts: number;
  readonly due: Instant;
  readonly progress: unknown;
  readonly isHeld: boolean;
  readonly isClaimed: boolean;
}

const rowsOf = (simulated: SimulatedDatabase): readonly Row[] =>
  [...simulated.jobs.values()]
    .map(({ kind, key: name, state, attempts, dueAt, progress, heldUntilMs, claim }) => ({
      kind,
      key: name,
      state,
      attempts,
      due: dueAt,
      progress,
      isHeld: heldUntilMs !== null && heldUntilMs > AT_MS,
      isClaimed: claim !== null,
    }))
    .sort((a, b) => jobName(a).localeCompare(jobName(b)));

const storedRows = async (): Promise<readonly Row[]> => {
  const { rows } = await database.admin.query<Row>(
    `SELECT kind, key, state, attempts, progress - 'failedAt' AS progress,
            to_char(due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS due,
            coalesce(held_until > clock_timestamp(), false) AS "isHeld",
            claim IS NOT NULL AS "isClaimed"
       FROM jobs WHERE kind IN ('call', 'timer')`,
  );
  return [...rows].sort((a, b) => jobName(a).localeCompare(jobName(b)));
};

test('every operation of workers on jobs has the same result in the simulation as in PostgreSQL', async () => {
  const operations = fc.array(operation, { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(operations, async (several) => {
      await database.admin.query('TRUNCATE events, jobs RESTART IDENTITY');
      const simulated = new SimulatedDatabase(() => AT_MS);
      const [real, ours] = [postgresSide(), simulatedSide(simulated)];
      for (const operate of several) expect(await operate(ours)).toEqual(await operate(real));
      expect(rowsOf(simulated)).toEqual(await storedRows());
    }),
    { numRuns: contractRuns(80) },
  );
});
