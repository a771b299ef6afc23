import fc from 'fast-check';
import { newEventId, parseInstant, plusMs } from '#kernel';
import { PostgresLog, type Step } from '#event-store';
import { createDatabase, type TestDatabase } from '#testing';
import pg from 'pg';
import { SimulatedDatabase } from './ports/database.js';
import { directly } from './ports/exchange.js';
import { simulatedLog } from './ports/log.js';

/*
 * The simulated database does what PostgreSQL does: random steps, good and bad, are committed to
 * both, and each is answered by both alike, conflicts and their kinds included. Then both hold the
 * same streams, sagas, inboxes, deadlines and calls.
 */

const AT = parseInstant('2030-03-06T12:00:00Z');
const METADATA = { correlationId: 'c', causationId: 'k', actor: 'user:spec', traceparent: null };
const STREAMS = ['a', 'b'];
const NOTHING: Step = {
  appends: [], receipt: null, saga: null, reservations: [], answer: null, deadlines: [],
  fired: null, effects: [], effectResult: null, webhooks: [],
};

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase('orchestrator');
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const small = fc.integer({ min: 0, max: 3 });
const dueAt = small.map((hours) => plusMs(AT, hours * 3_600_000));
const stream = fc.constantFrom(...STREAMS);

const append = fc.record({
  streamType: fc.constantFrom('order', 'payment'), streamId: stream, expectedVersion: small,
  events: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
}).map(({ events, ...rest }) => ({
  ...rest,
  events: events.map((by) => ({
    eventId: newEventId(), type: 'Counted', schemaVersion: 1, data: { by, gone: undefined },
    metadata: METADATA,
  })),
}));

const key = fc.constantFrom('k1', 'k2');

/** Parts of a step; several of them may clash with what is there, alone or together. */
const step: fc.Arbitrary<Step> = fc.record({
  appends: fc.uniqueArray(append, {
    maxLength: 2, selector: ({ streamType, streamId }) => `${streamType} ${streamId}`,
  }),
  receipt: fc.option(fc.record({
    consumer: fc.constantFrom('c1', 'c2'), streamType: fc.constant('order' as const),
    streamId: stream, previous: small, version: fc.integer({ min: 4, max: 6 }),
  }), { freq: 3 }),
  saga: fc.option(fc.record({
    saga: fc.constant('s'), key, expectedVersion: small, state: fc.record({ n: small }),
    done: fc.boolean(),
  }), { freq: 3 }),
  reservations: fc.uniqueArray(fc.record({
    scope: fc.constant('names'), key, holder: stream,
  }), { maxLength: 1, selector: (one) => one.key }),
  answer: fc.option(fc.record({
    platformId: fc.constant('p'), key, fingerprint: fc.constantFrom('f', 'g'),
    status: fc.constant(200), body: fc.constant({ id: 1 }),
  }), { freq: 5 }),
  deadlines: fc.uniqueArray(fc.record({
    kind: fc.constant('d'), key, dueAt: fc.option(dueAt), tries: small,
  }), { maxLength: 1, selector: (one) => one.key }),
  fired: fc.option(fc.record({ kind: fc.constant('d'), key, dueAt }), { freq: 5 }),
}, { noNullPrototype: true }).map((parts) => ({ ...NOTHING, ...parts } as Step));

const SUBJECTS = [...STREAMS];

const told = async (commit: () => Promise<void>): Promise<string> => {
  try {
    await commit();
    return 'committed';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

const rowsOf = async (sql: string): Promise<readonly object[]> =>
  (await pool.query<object>(sql)).rows;

test('every step is answered alike, and leaves the same behind', async () => {
  const several = fc.array(step, { minLength: 1, maxLength: 25 });
  await fc.assert(fc.asyncProperty(several, async (steps) => {
    await pool.query(`TRUNCATE events, inbox, sagas, reservations, idempotency_keys, deadlines,
                               effects RESTART IDENTITY`);
    const simulated = new SimulatedDatabase(() => Date.parse(AT));
    const [real, ours] = [new PostgresLog(pool), simulatedLog(simulated, directly)];
    for (const one of steps) {
      expect(await told(() => ours.commit(one))).toBe(await told(() => real.commit(one)));
    }
    for (const streamType of ['order', 'payment'] as const) {
      for (const streamId of SUBJECTS) {
        const plain = (rows: readonly object[]) => rows.map((row) => ({ ...row }));
        const read = { streamType, streamId };
        const [theirs, mine] = [await real.history(read), await ours.history(read)];
        expect(mine.map(({ version, type, schema_version, data }) =>
          ({ version, type, schema_version, data }))).toEqual(plain(theirs));
        expect(simulated.inboxVersion('c1', read)).toBe(await inboxOf('c1', streamType, streamId));
      }
    }
    for (const name of ['k1', 'k2']) {
      expect(await ours.loadSaga('s', name)).toEqual(await real.loadSaga('s', name));
    }
    expect(await ours.holdersOf('names', ['k1', 'k2']))
      .toEqual(await real.holdersOf('names', ['k1', 'k2']));
    expect([...simulated.deadlines.values()]
      .map((row) => ({ key: row.key, tries: row.tries, due: row.dueAt }))
      .sort((a, b) => a.key.localeCompare(b.key)),
    ).toEqual(await rowsOf(`SELECT key, tries, to_char(due_at AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS due FROM deadlines ORDER BY key`));
  }), { numRuns: 60 });
}, 120_000);

const inboxOf = async (consumer: string, type: string, id: string): Promise<number> => {
  const { rows } = await pool.query<{ version: number }>(
    'SELECT version FROM inbox WHERE consumer = $1 AND stream_type = $2 AND stream_id = $3',
    [consumer, type, id]);
  return rows[0]?.version ?? 0;
};
