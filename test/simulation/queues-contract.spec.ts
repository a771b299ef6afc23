import fc from 'fast-check';
import { HOUR_MS, parseInstant } from '#kernel';
import { FencedCursor, type HeldLease, Lease, LeaseLost } from '#kafka';
import {
  EMPTY_STEP,
  type LogCursor,
  type LogStorage,
  PostgresLog,
  type SagaRef,
  WaitingSagas,
} from '#log';
import { contractDatabase } from './contract-database.fixture.js';
import { contractRuns } from './contract-runs.js';
import { SimulatedDatabase } from './ports/database.js';
import { directly } from './ports/exchange.js';
import { acquireLease, releaseLease, simulatedCursor, simulatedLog } from './ports/log.js';
import { simulatedReactions } from './ports/queues.js';

/**
 * Executes the same random operations on the relay's lease and cursor, and on the failed reactions
 * of sagas, in the simulated database and in PostgreSQL. Each operation must have the same result.
 */

const AT_MS = Date.parse(parseInstant('2030-03-06T12:00:00Z'));
const nowMs = (): number => AT_MS;

const database = contractDatabase();

/** An operation on one of the two sides. Its result must be the same on both. */
type Operation<Side> = (side: Side) => Promise<unknown>;

const expectSame = async <Side>(
  operations: readonly Operation<Side>[],
  ours: Side,
  real: Side,
): Promise<void> => {
  for (const operate of operations) expect(await operate(ours)).toEqual(await operate(real));
};

/** The result of an operation that is refused if the lease is lost. */
const unlessLost = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof LeaseLost) return error.name;
    throw error;
  }
};

/** The lease and the cursor, with the tokens of all acquired leases, the oldest first. */
interface RelaySide {
  readonly cursor: Pick<FencedCursor, 'takeOver' | 'position' | 'move'>;
  readonly tokens: string[];
  /** Returns the token of the lease; null if another process holds the lease. */
  readonly acquire: () => Promise<string | null>;
  readonly release: (token: string) => Promise<void>;
  readonly expire: () => Promise<void>;
}

const postgresRelay = (): RelaySide => {
  const lease = new Lease(database.pool, 'relay', 'spec', HOUR_MS);
  const leases = new Map<string, HeldLease>();
  return {
    cursor: new FencedCursor(database.pool, 'relay'),
    tokens: [],
    acquire: async () => {
      const held = await lease.acquire();
      if (held !== null) leases.set(held.token, held);
      return held?.token ?? null;
    },
    release: async (token) => leases.get(token)?.release(),
    expire: async () => {
      await database.admin.query(
        `UPDATE leases SET expires_at = clock_timestamp() - interval '1 s'`,
      );
    },
  };
};

const simulatedRelay = (simulated: SimulatedDatabase): RelaySide => ({
  cursor: simulatedCursor(simulated, directly),
  tokens: [],
  acquire: async () => (await acquireLease(simulated, directly, nowMs))?.token ?? null,
  release: (token) => releaseLease(simulated, directly, token),
  expire: async () => {
    simulated.relay.expiresAtMs = AT_MS - 1_000;
  },
});

const acquired: Operation<RelaySide> = async (side) => {
  const token = await side.acquire();
  if (token !== null) side.tokens.push(token);
  return token;
};

/** An operation with the token of a lease, more often of a recent one. */
const withToken = (use: (side: RelaySide, token: string) => Promise<unknown>) =>
  fc.nat({ max: 2 }).map((back): Operation<RelaySide> => async (side) => {
    const token = side.tokens.at(-1 - back);
    return token === undefined ? 'none' : unlessLost(use(side, token));
  });

const cursorAt = (place: number): LogCursor => ({
  epoch: 1,
  transactionId: String(place),
  position: String(place),
});

const PLACES = 9;
const place = fc.integer({ min: 1, max: PLACES });

/** A cursor can be moved only to the position of an event. */
beforeAll(async () => {
  await database.admin.query(
    `INSERT INTO events (position, transaction_id, stream_type, stream_id, version, event_id, type,
                         schema_version, data, metadata)
     OVERRIDING SYSTEM VALUE
     SELECT n, n::text::xid8, 'order', 'ord_places', n, gen_random_uuid(), 'OrderPlaced', 1, '{}', '{}'
       FROM generate_series(1, $1::int) AS n`,
    [PLACES],
  );
});

const relayOperation = fc.oneof(
  fc.constant(acquired),
  fc.constant<Operation<RelaySide>>(({ expire }) => expire()),
  withToken(({ release }, token) => release(token)),
  withToken(async ({ cursor }, token) => (await cursor.takeOver(token)).position),
  fc.tuple(fc.boolean(), place, place).chain(([isFromItsPosition, from, to]) =>
    withToken(async ({ cursor }, token) => {
      const read = await cursor.position();
      await cursor.move(token, isFromItsPosition ? read : cursorAt(from), cursorAt(to));
    }),
  ),
);

test('only the newest process that took over the cursor can move it, in the simulation as in PostgreSQL', async () => {
  const several = fc.array(relayOperation, { minLength: 5, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(several, async (operations) => {
      await database.admin.query('TRUNCATE leases, log_cursors');
      await expectSame(operations, simulatedRelay(new SimulatedDatabase(nowMs)), postgresRelay());
    }),
    { numRuns: contractRuns(80) },
  );
});

interface SagaSide {
  readonly log: LogStorage;
  readonly reactions: Pick<WaitingSagas, 'claim'>;
  /** Makes the retry of a failed reaction due now; returns whether the saga has one. */
  readonly retryNow: (ref: SagaRef) => Promise<boolean>;
  /** Lets the time of the retry pass, or the claim of the process that retries. */
  readonly expire: (ref: SagaRef) => Promise<void>;
}

const postgresSagas = (): SagaSide => {
  const reactions = new WaitingSagas(database.pool);
  return {
    log: new PostgresLog(database.pool),
    reactions,
    retryNow: (ref) =>
      reactions.retry(ref).then(
        () => true,
        () => false,
      ),
    expire: async ({ saga, key }) => {
      await database.admin.query(
        `UPDATE sagas SET retry_at = clock_timestamp() - interval '1 s'
          WHERE saga = $1 AND key = $2 AND retry_at < 'infinity'`,
        [saga, key],
      );
    },
  };
};

const simulatedSagas = (simulated: SimulatedDatabase): SagaSide => ({
  log: simulatedLog(simulated, directly),
  reactions: simulatedReactions(simulated, directly, nowMs),
  retryNow: async ({ saga, key }) => simulated.retryNow(saga, key),
  expire: async ({ saga, key }) => {
    const row = simulated.sagas.get(`${saga} ${key}`);
    const isTimed = typeof row?.retryAtMs === 'number' && row.retryAtMs < Infinity;
    if (row !== undefined && isTimed) row.retryAtMs = AT_MS - 1_000;
  },
});

const ref = fc.constantFrom('k1', 'k2', 'k3').map((key): SagaRef => ({ saga: 's', key }));

/** Saves the state of a saga, whose reaction has failed or not. */
const saved = fc
  .record({
    ref,
    isWaiting: fc.boolean(),
    retryAfterMs: fc.constantFrom(null, 0, HOUR_MS, Infinity),
  })
  .map(
    ({ ref: { saga, key }, isWaiting, retryAfterMs }): Operation<SagaSide> =>
      async ({ log }) => {
        const { version: expectedVersion } = await log.loadSaga(saga, key);
        const waiting = isWaiting ? { stimuli: [], attempts: 1, error: 'it broke' } : null;
        const write = { state: {}, done: false, waiting, retryAfterMs };
        await log.commit({ ...EMPTY_STEP, sagas: [{ saga, key, expectedVersion, write }] });
      },
  );

/** More than there are sagas, because the order of the claimed sagas is not compared. */
const ALL = 10;

const claimed: Operation<SagaSide> = async ({ reactions }) =>
  (await reactions.claim(ALL, ['s'])).map(({ key }) => key).sort();

const sagaOperation = fc.oneof(
  { arbitrary: saved, weight: 3 },
  { arbitrary: fc.constant(claimed), weight: 3 },
  ref.map(
    (one): Operation<SagaSide> =>
      ({ retryNow }) =>
        retryNow(one),
  ),
  ref.map(
    (one): Operation<SagaSide> =>
      ({ expire }) =>
        expire(one),
  ),
);

test('a failed reaction can be claimed for a retry at the same times in the simulation as in PostgreSQL', async () => {
  const several = fc.array(sagaOperation, { minLength: 5, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(several, async (operations) => {
      await database.admin.query('TRUNCATE sagas');
      await expectSame(operations, simulatedSagas(new SimulatedDatabase(nowMs)), postgresSagas());
    }),
    { numRuns: contractRuns(80) },
  );
});
