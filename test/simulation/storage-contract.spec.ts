import fc from 'fast-check';
import { newEventId, parseInstant, plusMs } from '#kernel';
import { EMPTY_STEP, PostgresLog, type Step, type StreamRef } from '#log';
import { contractDatabase } from './contract-database.fixture.js';
import { SimulatedDatabase } from './ports/database.js';
import { directly } from './ports/exchange.js';
import { simulatedLog } from './ports/log.js';
import { contractRuns } from './contract-runs.js';

/**
 * Commits random valid and conflicting steps to the simulated database and to PostgreSQL, alone and
 * several at once. Both must return the same results, including the kind of each conflict, and then
 * contain the same streams, sagas, failed reactions, deadlines and jobs of provider requests.
 */

const AT = parseInstant('2030-03-06T12:00:00Z');
const METADATA = { correlationId: 'c', causationId: 'k', actor: 'user:spec', traceparent: null };

/** The streams and keys that a step may use. */
interface Names {
  readonly streams: readonly string[];
  readonly keys: readonly string[];
}

/** Two steps with different names can be in one batch of PostgreSQL. */
const NAMES: readonly Names[] = [
  { streams: ['a', 'b'], keys: ['k1', 'k2'] },
  { streams: ['c', 'd'], keys: ['k3', 'k4'] },
];
const STREAMS = NAMES.flatMap(({ streams }) => streams);
const KEYS = NAMES.flatMap(({ keys }) => keys);

const database = contractDatabase();

const small = fc.integer({ min: 0, max: 3 });
const dueAt = small.map((hours) => plusMs(AT, hours * 3_600_000));
const CLAIM = '00000000-0000-4000-8000-000000000001';
const claim = fc.constantFrom(CLAIM, CLAIM.replace('1', '2'));

const appendTo = (stream: fc.Arbitrary<string>) =>
  fc
    .record({
      streamType: fc.constantFrom('order', 'payment'),
      streamId: stream,
      expectedVersion: small,
      events: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
    })
    .map(({ events, ...rest }) => ({
      ...rest,
      events: events.map((by, index) => ({
        ordinal: index,
        eventId: newEventId(),
        type: 'Counted',
        schemaVersion: 1,
        data: { by, absent: undefined },
        metadata: METADATA,
      })),
    }));

const waitingFor = (stream: fc.Arbitrary<string>) =>
  fc.record({
    stimuli: fc.array(
      fc.record({
        from: fc.constant('event'),
        streamType: fc.constant('order'),
        streamId: stream,
        version: small,
      }),
      { minLength: 1, maxLength: 2 },
    ),
    attempts: small,
    error: fc.constant('it broke'),
  });

const sagaState = (stream: fc.Arbitrary<string>) =>
  fc.record({
    state: fc.record({ n: small }),
    done: fc.boolean(),
    waiting: fc.option(waitingFor(stream)),
    retryAfterMs: fc.constantFrom(null, 0, 1_000, Infinity),
  });

/**
 * A step that requests a provider request also writes to the stream of its payment, so two requests
 * of one payment are never in one batch.
 */
const isOfPayment = (subjectId: string) => (append: StreamRef) =>
  append.streamType === 'payment' && append.streamId === subjectId;

/** The parts of a random step besides its writes to streams and sagas. */
const dutiesOf = (stream: fc.Arbitrary<string>, key: fc.Arbitrary<string>) => ({
  reservations: fc.array(fc.record({ scope: fc.constant('names'), key, holder: stream }), {
    maxLength: 1,
  }),
  answer: fc.option(
    fc.record({
      platformId: fc.constant('p'),
      key,
      fingerprint: fc.constantFrom('f', 'g'),
      status: fc.constant(200),
      body: fc.constant({ id: 1 }),
    }),
    { freq: 5 },
  ),
  deadlines: fc.array(
    fc.record({ kind: fc.constant('d'), key, dueAt: fc.option(dueAt), tries: small }),
    { maxLength: 1 },
  ),
  endedJob: fc.option(fc.record({ kind: fc.constant('d'), key, claim }), { freq: 5 }),
  effects: fc.uniqueArray(
    fc.record({
      jobId: fc.uuid(),
      kind: fc.constant('c'),
      subjectId: stream,
      accountId: fc.constant('acc'),
      askedAt: dueAt,
      begun: fc.option(fc.record({ claim, claimMs: fc.constant(30_000) })),
    }),
    { maxLength: 2, selector: (one) => one.subjectId },
  ),
});

/** A random step, which may conflict with the versions and claims in the database. */
const stepWith = ({ streams, keys }: Names): fc.Arbitrary<Step> => {
  const [stream, key] = [fc.constantFrom(...streams), fc.constantFrom(...keys)];
  const written = fc.record({
    saga: fc.constant('s'),
    key,
    expectedVersion: small,
    write: fc.option(sagaState(stream)),
  });
  return fc
    .record(
      {
        appends: fc.uniqueArray(appendTo(stream), {
          maxLength: 2,
          selector: ({ streamType, streamId }) => `${streamType} ${streamId}`,
        }),
        sagas: fc.uniqueArray(written, { maxLength: 2, selector: (one) => one.key }),
        ...dutiesOf(stream, key),
      },
      { noNullPrototype: true },
    )
    .map(({ effects, ...parts }) => {
      const own = effects.filter(({ subjectId }) => parts.appends.some(isOfPayment(subjectId)));
      return { ...EMPTY_STEP, ...parts, effects: own } as Step;
    });
};

const step = fc.oneof(...NAMES.map(stepWith));

/** Steps that are committed at once, in few batches of PostgreSQL; often a single step. */
const group = fc.oneof(
  step.map((one) => [one]),
  fc.array(step, { minLength: 2, maxLength: 5 }),
);

const resultOf = async (commit: () => Promise<readonly string[]>): Promise<string> => {
  try {
    return `committed, queued: ${(await commit()).join(', ')}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

const rowsOf = async (sql: string): Promise<readonly object[]> =>
  (await database.admin.query<object>(sql)).rows;

test('the simulated database returns the same result as PostgreSQL for every step, and contains the same rows', async () => {
  const several = fc.array(group, { minLength: 1, maxLength: 15 });
  await fc.assert(
    fc.asyncProperty(several, async (groups) => {
      await database.admin.query(`TRUNCATE events, sagas, reservations, idempotency_keys, jobs
                               RESTART IDENTITY`);
      const simulated = new SimulatedDatabase(() => Date.parse(AT));
      const [real, ours] = [new PostgresLog(database.pool), simulatedLog(simulated, directly)];
      const resultsIn = (log: Pick<PostgresLog, 'commit'>, steps: readonly Step[]) =>
        Promise.all(steps.map((one) => resultOf(() => log.commit(one))));
      for (const steps of groups) {
        // Claims all existing jobs in the name of one worker.
        await database.admin.query(`UPDATE jobs SET state = 'running', claim = $1`, [CLAIM]);
        for (const job of simulated.jobs.values()) {
          Object.assign(job, { state: 'running', claim: CLAIM });
        }
        expect(await resultsIn(ours, steps)).toEqual(await resultsIn(real, steps));
      }
      for (const streamType of ['order', 'payment'] as const) {
        for (const streamId of STREAMS) {
          const plain = (rows: readonly object[]) => rows.map((row) => ({ ...row }));
          const read = { streamType, streamId };
          const [theirs, mine] = [await real.history(read, 1, 3), await ours.history(read, 1, 3)];
          expect(
            mine.map(({ version, type, schema_version, data, traceparent }) => ({
              version,
              type,
              schema_version,
              data,
              traceparent,
            })),
          ).toEqual(plain(theirs));
        }
      }
      for (const name of KEYS) {
        expect(await ours.loadSaga('s', name)).toEqual(await real.loadSaga('s', name));
        expect(retryOf(simulated.sagas.get(`s ${name}`)?.retryAtMs)).toBe(await retryIn(name));
      }
      expect(await ours.holdersOf('names', KEYS)).toEqual(await real.holdersOf('names', KEYS));
      expect(
        [...simulated.jobs.values()]
          .filter(({ kind }) => kind === 'd')
          .map((row) => ({ key: row.key, progress: row.progress, due: row.dueAt }))
          .sort((a, b) => a.key.localeCompare(b.key)),
      ).toEqual(
        await rowsOf(`SELECT key, progress, to_char(due_at AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS due FROM jobs WHERE kind = 'd' ORDER BY key`),
      );
      expect(
        [...simulated.jobs.values()]
          .filter(({ kind }) => kind === 'c')
          .map(({ key: id, state, claim: held, attempts }) => ({ id, state, held, attempts }))
          .sort((a, b) => a.id.localeCompare(b.id)),
      ).toEqual(
        await rowsOf(`SELECT key AS id, state, claim::text AS held, attempts FROM jobs
                       WHERE kind = 'c' ORDER BY key COLLATE "C"`),
      );
    }),
    { numRuns: contractRuns(60) },
  );
});

/**
 * How the saga's failed reaction is retried: never, by an operator, or automatically. The time of
 * the retry is not compared, because the two databases have different clocks.
 */
const retryOf = (retryAtMs: number | null | undefined): string => {
  if (retryAtMs === null || retryAtMs === undefined) return 'never';
  return retryAtMs === Infinity ? 'asked' : 'timed';
};

const retryIn = async (key: string): Promise<string> => {
  const { rows } = await database.admin.query<{ at: string | null }>(
    'SELECT retry_at::text AS at FROM sagas WHERE key = $1',
    [key],
  );
  const at = rows[0]?.at ?? null;
  return at === null ? 'never' : at === 'infinity' ? 'asked' : 'timed';
};
