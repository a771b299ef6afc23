import { type Aggregate, type Decider, NO_FOLLOW_UPS } from '#kernel';
import { Rejection } from '#kernel';
import { type DatabaseApp, lendDatabases, openDatabase, specPool } from '#testing';
import type { Pool } from 'pg';
import type { EventMetadata } from './stream.js';

/** A minimal aggregate for the specs of the log: a counter. */
export type Counted = { readonly type: 'Counted'; readonly by: number };
export type Count = { readonly type: 'Count'; readonly by: number };

const decider: Decider<number, Count, Counted> = {
  initialState: 0,
  decide: (_state, { by }) => {
    if (by < 0) throw new Rejection('negative', 'a counter only counts up');
    return by === 0 ? [] : [{ type: 'Counted', by }];
  },
  evolve: (state, { by }) => state + by,
};

export const counter: Aggregate<number, Count, Counted> = {
  streamType: 'order',
  decider,
  upcasters: { Counted: [] },
  ownerOf: () => null,
  followUps: () => NO_FOLLOW_UPS,
};

export const count = (by = 1): Count => ({ type: 'Count', by });

export const metadata: EventMetadata = {
  correlationId: 'ord_1',
  causationId: 'spec',
  actor: 'user:spec',
  traceparent: null,
};

/** Appends an event of a newer release to the stream of an order. */
export const writeNewer = async (
  pool: Pool,
  streamId: string,
  version: number,
  { type, schemaVersion }: { readonly type: string; readonly schemaVersion: number },
  correlationId = metadata.correlationId,
): Promise<void> => {
  await pool.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     VALUES ('order', $1, $2, gen_random_uuid(), $3, $4, '{"by": 1}', $5)`,
    [streamId, version, type, schemaVersion, { ...metadata, correlationId }],
  );
};

const openLogDatabase = () =>
  openDatabase('orchestrator', ({ url, urlFor }) => {
    const of = (app: DatabaseApp): Pool => specPool(urlFor(app));
    return { admin: specPool(url), worker: of('worker'), ops: of('ops'), api: of('api') };
  });

/** The databases of a spec file that opens a log for each of its tests. */
export const lendLogDatabases = () => {
  const databases = lendDatabases(openLogDatabase);
  afterAll(() => databases.end());
  return databases;
};

export interface TestLog {
  readonly database: Awaited<ReturnType<typeof openLogDatabase>>;
  /** A pool with the database rights of the worker. */
  readonly pool: Pool;
  /** A pool with the database rights of the command line. */
  readonly ops: Pool;
  /** A pool with the database rights of the api. */
  readonly api: Pool;
  /** A pool with all rights, for the statements that only the spec runs. */
  readonly admin: Pool;
  close(): Promise<void>;
}

/** Opens an empty log in a migrated database, which is new if `databases` does not lend it. */
export const openTestLog = async (
  databases?: ReturnType<typeof lendLogDatabases>,
): Promise<TestLog> => {
  const database = await (databases === undefined ? openLogDatabase() : databases.lend());
  const { worker: pool, ...others } = database.pools;
  return { database, pool, ...others, close: () => database.close() };
};

/** Claims a job as a worker does, and creates it if it is missing; returns the claim. */
export const claimOf = async (
  admin: Pool,
  { kind, key }: { readonly kind: string; readonly key: string },
): Promise<string> => {
  const { rows } = await admin.query<{ claim: string }>(
    `UPDATE jobs SET state = 'running', claim = gen_random_uuid()
      WHERE kind = $1 AND key = $2 RETURNING claim`,
    [kind, key],
  );
  return rows[0]?.claim ?? '';
};
