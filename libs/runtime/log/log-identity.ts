import type { ClientBase, Pool, QueryConfig } from 'pg';
import { inTransaction } from './in-transaction.js';

/**
 * Thrown if the log was restored from another server. Transaction ids of this server may be lower
 * than those in the log.
 */
export class ForeignLog extends Error {
  override readonly name = 'ForeignLog';
}

/**
 * The client's time limit for recording a restore, longer than any log needs. The client requires a
 * limit; the server has none for this transaction.
 */
const NOTED_WITHIN_MS = 3_600_000;

/**
 * Records that the log was restored from a backup, and begins a new epoch: new events are sorted
 * after all cursors that readers have, also those of lost events, although the server assigns the
 * transaction ids of these events again. The log may lack requests that were sent to the provider
 * after the backup. Each payment with an open request, an unknown result or a recent
 * end is read from the provider. No request of the payment's account is sent before these reads are
 * done, and no mandate is debited before the account's payments of the lost period have been
 * listed. A promoted replica counts as restored. If there was no restore, this function does
 * nothing.
 */
const note = async (client: ClientBase, isCertain: boolean): Promise<void> => {
  // No timeout, because this transaction must not be aborted: the accounts must be registered for
  // reading before any request moves money.
  await client.query('SET LOCAL statement_timeout = 0; SET LOCAL transaction_timeout = 0');
  const noteRestored: QueryConfig<boolean[]> & { readonly query_timeout: number } = {
    text: 'SELECT note_restore($1)',
    values: [isCertain],
    query_timeout: NOTED_WITHIN_MS,
  };
  await client.query(noteRestored);
};

/**
 * Records a database restore that cannot be detected: after the restore of a disk snapshot, the
 * server's identity is the same as before. An operator must record such a restore with this
 * function.
 */
export const noteRestore = (client: ClientBase): Promise<void> => note(client, true);

/**
 * Rejects a log that was restored on another server. The transaction ids of that server begin low,
 * so new events would be sorted before old ones, and log consumers would never read them. A log
 * that was restored on its own server is accepted, and the payments of its accounts are read from
 * the provider before money moves. @throws ForeignLog until `rebaseLog` was called.
 */
export const requireOwnLog = async (pool: Pool): Promise<void> => {
  const client = await pool.connect();
  try {
    await ownEpochOn(client);
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release();
};

interface Identity {
  readonly epoch: number;
  readonly known: string;
  readonly actual: string;
  readonly restored: boolean;
}

/** Does the check of `requireOwnLog` on one connection, and returns the epoch of the log. */
const ownEpochOn = async (client: ClientBase): Promise<number> => {
  const { rows } = await client.query<Identity>(
    `SELECT i.epoch, i.system_identifier AS known, c.system_identifier::text AS actual,
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
  if (!row.restored) return row.epoch;
  await client.query('BEGIN');
  await note(client, false);
  await client.query('COMMIT');
  return ownEpochOn(client);
};

/**
 * Checks each new connection of a process, because after a failover a connection may lead to a
 * server that lacks the latest commits.
 */
export class ConnectionCheck {
  private epoch: number | null = null;
  private readonly listeners: (() => void)[] = [];

  /** Calls `listener` when a new connection shows a restore that happened since the last one. */
  onRestored(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Rejects, as `requireOwnLog` does, if the connection must be closed. */
  readonly verify = async (client: ClientBase): Promise<void> => {
    const epoch = await ownEpochOn(client);
    const isOther = this.epoch !== null && this.epoch !== epoch;
    this.epoch = epoch;
    if (isOther) for (const listener of this.listeners) listener();
  };
}

/** Continues the log on this server: records a restore, and accepts the server's identity. */
export const rebaseLog = (pool: Pool): Promise<{ readonly epoch: number }> =>
  inTransaction(pool, async (client) => {
    await note(client, true);
    const { rows } = await client.query<{ epoch: number }>(
      `UPDATE log_identity
          SET system_identifier = (SELECT system_identifier::text FROM pg_control_system())
       RETURNING epoch`,
    );
    return { epoch: Number(rows[0]?.epoch) };
  });
