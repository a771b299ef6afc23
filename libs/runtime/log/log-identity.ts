import type { ClientBase, Pool } from 'pg';
import { inTransaction } from './in-transaction.js';

/** The log stands on a server whose transaction ids it does not know. */
export class ForeignLog extends Error {
  override readonly name = 'ForeignLog';
}

/** What a restore changes, also one on the same server. */
const INCARNATION = `(SELECT c.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
                             || '/' || 'events'::regclass::oid FROM pg_control_system() c)`;

/** How long before the restored log ends a call was closed lately: its ending may have been lost. */
const LATELY = '1 hour';

/**
 * Where a replica was promoted, a process that still runs may send a call that it had begun: it holds
 * its claim, and waits for the answer, for no longer than this. What was made is read after it.
 */
const MAY_STILL_ARRIVE = `interval '25 seconds'`;

/**
 * An account that was disabled before the lost time began took no orders in it. One that is still to
 * be read since an earlier restore is read from then on, and from its first page: the list is newest
 * first, and has grown.
 */
const NOTE_RESTORE = `
  WITH newest AS (
    SELECT coalesce((e.data ->> 'at')::timestamptz, e.recorded_at) AS at FROM events e
     ORDER BY e.epoch DESC, e.transaction_id DESC, e.position DESC LIMIT 1),
  noted AS (INSERT INTO log_restores (lost_since) SELECT at FROM newest)
  INSERT INTO lost_debit_reads (account_id, lost_since, claimed_until)
  SELECT a.id, newest.at, clock_timestamp() + ${MAY_STILL_ARRIVE}
    FROM provider_accounts a, newest WHERE a.disabled_at IS NULL
      ON CONFLICT (account_id) DO UPDATE
     SET next_start = 0, claimed_until = excluded.claimed_until`;

/** Of payments: what is asked of the provider for a merchant moves no money. */
const READ_ACCOUNTS = `
  INSERT INTO restore_reads (payment_id, account_id, claimed_until)
  SELECT subject_id, account_id, clock_timestamp() + ${MAY_STILL_ARRIVE} FROM (
    SELECT subject_id, account_id FROM jobs
     WHERE state <> 'done' AND subject_id LIKE 'pay\\_%'
     UNION
    SELECT subject_id, account_id FROM jobs
     WHERE state = 'done' AND subject_id LIKE 'pay\\_%'
       AND updated_at >= (SELECT max(updated_at) FROM jobs WHERE state = 'done') - interval '${LATELY}'
  ) AS called
      ON CONFLICT (payment_id) DO UPDATE SET claimed_until = excluded.claimed_until`;

/**
 * The log may lack what was asked of the provider after it was saved. Until each payment that has an
 * open call, one of unknown outcome or one closed lately has been read, no call of its account is
 * made; and no mandate is debited before the account's payments of the lost time were listed. Nothing
 * happens where the log was not restored. A promoted replica counts as restored.
 */
const noteIfRestored = async (client: ClientBase): Promise<void> => {
  const { rowCount } = await client.query(
    `SELECT FROM log_identity WHERE incarnation IS DISTINCT FROM ${INCARNATION} FOR UPDATE`);
  if (rowCount !== 0) await noteRestore(client);
};

/**
 * In a transaction. By itself no process notices that a snapshot of the server's disk was put back:
 * nothing of the server has another name then.
 */
export const noteRestore = async (client: ClientBase): Promise<void> => {
  await client.query(`UPDATE log_identity SET incarnation = ${INCARNATION}`);
  // However long its reading takes: without it no money may move.
  await client.query('SET LOCAL statement_timeout = 0; SET LOCAL transaction_timeout = 0');
  await client.query(NOTE_RESTORE);
  await client.query(READ_ACCOUNTS);
};

/**
 * Refuses a log that was restored on another server: that server's transaction ids start low, so
 * new events would sort before old ones and never be read. One that was restored on its own server
 * is taken up, and its accounts are read before money moves.
 *
 * @throws ForeignLog until `rebaseLog` has run.
 */
export const requireOwnLog = async (pool: Pool): Promise<void> => {
  const client = await pool.connect();
  try {
    await requireOwnLogOn(client);
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release();
};

/**
 * As `requireOwnLog`, for a new connection: one that follows on a failover may be to a server that
 * lacks what the last one had committed. When it rejects, the connection is to be closed.
 */
export const requireOwnLogOn = async (client: ClientBase): Promise<void> => {
  const { rows } = await client.query<{ known: string; actual: string; restored: boolean }>(
    `SELECT i.system_identifier AS known, c.system_identifier::text AS actual,
            i.incarnation IS DISTINCT FROM ${INCARNATION} AS restored
       FROM log_identity i, pg_control_system() c`,
  );
  const row = rows[0];
  if (!row) throw new ForeignLog('the log has no identity: run the migrations first');
  if (row.known !== row.actual) {
    throw new ForeignLog(
      'this event log was restored from another PostgreSQL server: stop every process that ' +
        'uses it and run `npm run log:rebase` once, then start again',
    );
  }
  if (!row.restored) return;
  await client.query('BEGIN');
  await noteIfRestored(client);
  await client.query('COMMIT');
};

/** Starts a new epoch on this server: whatever comes now is read after all that was restored. */
export const rebaseLog = (pool: Pool): Promise<{ readonly epoch: number }> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ epoch: number }>(
      `UPDATE log_identity SET epoch = epoch + 1,
              system_identifier = (SELECT system_identifier::text FROM pg_control_system())
       RETURNING epoch`,
    );
    const epoch = Number(rows[0]?.epoch);
    await noteIfRestored(client);
    await client.query(`ALTER TABLE events ALTER COLUMN epoch SET DEFAULT ${epoch}`);
    return { epoch };
  });
