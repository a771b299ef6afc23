import type { Pool } from 'pg';
import { inTransaction } from './in-transaction.js';

/** The log stands on a server whose transaction ids it does not know. */
export class ForeignLog extends Error {
  override readonly name = 'ForeignLog';
}

/**
 * Refuses a log that was restored on another server: that server's transaction ids start low, so
 * new events would sort before old ones and never be read.
 *
 * @throws ForeignLog until `rebaseLog` has run.
 */
export const requireOwnLog = async (pool: Pool): Promise<void> => {
  const { rows } = await pool.query<{ known: string; actual: string }>(
    `SELECT i.system_identifier AS known, c.system_identifier::text AS actual
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
    await client.query(`ALTER TABLE events ALTER COLUMN epoch SET DEFAULT ${epoch}`);
    return { epoch };
  });
