import type { ClientBase, Pool } from 'pg';
import { inTransaction } from './in-transaction.js';

/** The log stands on a server whose transaction ids it does not know. */
export class ForeignLog extends Error {
  override readonly name = 'ForeignLog';
}

/**
 * The log may lack what was asked of the provider after it was saved. Until each payment that has
 * an open call, one of unknown outcome or one closed lately has been read, no call of its account
 * is made; and no mandate is debited before the account's payments of the lost time were listed.
 * Nothing happens where the log was not restored. A promoted replica counts as restored.
 */
const note = async (client: ClientBase, isCertain: boolean): Promise<void> => {
  // However long its reading takes: without it no money may move.
  await client.query('SET LOCAL statement_timeout = 0; SET LOCAL transaction_timeout = 0');
  await client.query('SELECT note_restore($1)', [isCertain]);
};

/**
 * In a transaction. By itself no process notices that a snapshot of the server's disk was put back:
 * nothing of the server has another name then.
 */
export const noteRestore = (client: ClientBase): Promise<void> => note(client, true);

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
            i.incarnation IS DISTINCT FROM log_incarnation() AS restored
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
  await note(client, false);
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
    await note(client, false);
    await client.query(`ALTER TABLE events ALTER COLUMN epoch SET DEFAULT ${epoch}`);
    return { epoch };
  });
