import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EventStore,
  ForeignLog,
  LOG_START,
  LogReader,
  PostgresLog,
  rebaseLog,
  requireOwnLog,
} from '#log';
import { UPCASTERS } from '#orchestrator';
import { parseInstant, plusMs } from '#kernel';
import { orderAggregate, type OrderCommand } from '#order';
import { createDatabase, freePort, specPool, uniqueName, waitFor } from '#testing';
import type { Pool } from 'pg';
import { DATABASE_ROLES, roleUrl } from '../../tools/infra/roles.mjs';
import { freshDatabase } from '../../tools/stack/databases.js';
import { type RunningPostgres, startPostgres } from '../../tools/infra/postgres.mjs';

/**
 * Dumps the event log of one server and restores it on another server, as in a disaster recovery.
 */

const at = parseInstant('2026-03-01T10:00:00Z');
const metadata = {
  correlationId: 'ord_1',
  causationId: 'spec',
  actor: 'user:spec',
  traceparent: null,
};
const place = (reference: string): OrderCommand => ({
  type: 'PlaceOrder',
  platformId: 'shop',
  merchantId: 'baker',
  accountId: 'acc_1',
  reference,
  amountMinor: 1250,
  currency: 'eur',
  capture: { policy: 'automatic' },
  methods: ['card'],
  returnUrl: null,
  description: null,
  metadata: {},
  expiresAt: plusMs(at, 60_000),
  at,
});

const TABLES = ['log_identity', 'events', 'sagas', 'log_cursors'];

const poolOf = (url: string): Pool => specPool(url, 4);

/** Copies the rows as a dump and restore would: with all columns, in the same order. */
const copyRows = async (from: Pool, to: Pool): Promise<void> => {
  for (const table of TABLES) {
    const { rows } = await from.query<{ rows: string | null }>(
      `SELECT json_agg(t)::text AS rows FROM ${table} t`,
    );
    await to.query(`DELETE FROM ${table}`);
    await to.query(
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
       SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
      [rows[0]?.rows ?? '[]'],
    );
  }
  await to.query(`SELECT setval(pg_get_serial_sequence('events', 'position'), max(position))
                    FROM events`);
};

let other: RunningPostgres;
let source: { pool: Pool; drop: () => Promise<void> };
/**
 * Connections to the restored database: `target` as the server's administrator, `worker` with the
 * worker's role.
 */
let target: Pool;
let worker: Pool;

beforeAll(async () => {
  const database = await createDatabase('orchestrator');
  source = { pool: poolOf(database.url), drop: () => database.drop() };
  other = await startPostgres({
    folder: uniqueName('restore'),
    port: await freePort(),
    password: uniqueName('secret'),
    logFile: join(tmpdir(), `${uniqueName('restore')}.log`),
    throwaway: true,
  });
  const restored = await freshDatabase(`${other.url}/postgres`, 'orchestrator');
  target = poolOf(restored);
  worker = poolOf(roleUrl(restored, DATABASE_ROLES.orchestrator.apps.worker));
});

afterAll(async () => {
  await Promise.all([source.pool.end(), target.end(), worker.end()]);
  await source.drop();
  await other.stop();
});

test('the apps refuse a restored event log until `npm run log:rebase` has run, and then every log consumer continues at its cursor', async () => {
  const before = new EventStore(new PostgresLog(source.pool), UPCASTERS, null);
  for (let n = 0; n < 300; n += 1) await source.pool.query('SELECT pg_current_xact_id()');
  for (const id of ['ord_1', 'ord_2']) {
    await before.step(metadata, (step) => step.create(orderAggregate, id, place(id)));
  }
  const readUpTo = async (reader: LogReader, count: number, cursor = LOG_START) => {
    await waitFor(async () => (await reader.readAfter(cursor, 10)).length >= count);
    return reader.readAfter(cursor, 10);
  };
  const end = (await readUpTo(new LogReader(source.pool, UPCASTERS), 2)).at(-1)?.cursor;
  expect(end).toBeDefined();

  await copyRows(source.pool, target);
  await expect(requireOwnLog(worker)).rejects.toThrow(ForeignLog);
  await rebaseLog(target);
  await requireOwnLog(worker);

  const store = new EventStore(new PostgresLog(worker), UPCASTERS, null);
  const reader = new LogReader(worker, UPCASTERS);
  await store.execute(orderAggregate, 'ord_1', { type: 'RequestCancellation', at }, metadata);
  // The new server's transaction ids are lower than the transaction ids in the restored rows.
  const { rows } = await target.query(
    `SELECT (SELECT max(transaction_id) FROM events WHERE epoch = 1) >
            (SELECT min(transaction_id) FROM events WHERE epoch > 1) AS lower`,
  );
  expect(rows).toEqual([{ lower: true }]);
  const fresh = await readUpTo(reader, 1, end);
  expect(fresh.map(({ streamId, version, type }) => [streamId, version, type])).toEqual([
    ['ord_1', 2, 'OrderCancellationRequested'],
  ]);
  const all = await readUpTo(reader, 3);
  expect(all.map(({ streamId, version }) => `${streamId}/${version}`)).toEqual([
    'ord_1/1',
    'ord_2/1',
    'ord_1/2',
  ]);
});
