import { LOG_START } from '#event-store';
import { waitFor } from '#testing';
import { onServer } from '../infra/databases.mjs';

const WITHIN_MS = 120_000;

/**
 * Moves the relay's cursor back to the beginning, further than a crash of the server may, which can
 * lose its last moves. The token makes the relay read it again; every event is then published again.
 */
export const setRelayBack = async (url: string): Promise<void> => {
  const { epoch, transactionId, position } = LOG_START;
  const set = async (): Promise<boolean> => {
    let count: number | null = 0;
    await onServer(url, async (client) => {
      ({ rowCount: count } = await client.query(
        `UPDATE log_cursors SET epoch = $1, transaction_id = $2::xid8, position = $3,
                token = token + 1 WHERE name = 'relay'`,
        [epoch, transactionId, position]));
    });
    return count === 1;
  };
  await waitFor(set, { timeoutMs: WITHIN_MS, everyMs: 200 });
};
