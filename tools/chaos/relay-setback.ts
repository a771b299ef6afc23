import { setTimeout as sleep } from 'node:timers/promises';
import { LOG_START } from '#log';
import { onServer } from '../infra/databases.mjs';

/**
 * The cursor is moved back only after the relay has published this many events, so that enough
 * events are repeated.
 */
const ENOUGH_EVENTS = 100;
const EVERY_MS = 300;

const SET_BACK = `
  WITH published AS (
    SELECT count(*)::int AS events
      FROM log_cursors c
      JOIN events e ON (e.epoch, e.transaction_id, e.position)
                       <= (c.epoch, c.transaction_id, c.position)
     WHERE c.name = 'relay')
  UPDATE log_cursors c
     SET epoch = $1, transaction_id = $2::xid8, position = $3, token = token + 1
    FROM published p
   WHERE c.name = 'relay' AND p.events >= ${ENOUGH_EVENTS}
  RETURNING p.events`;

/**
 * Moves the relay's cursor back to the beginning of the log after the relay has published enough
 * events, so that it publishes every event again. (A crash of the server could lose only the last
 * moves of the cursor.) The changed token forces the relay to read its cursor again. Returns how
 * many events the cursor had passed; null if `isOver` returned true before.
 */
export const setRelayBack = async (url: string, isOver: () => boolean): Promise<number | null> => {
  const { epoch, transactionId, position } = LOG_START;
  while (!isOver()) {
    const passed = await onServer(url, async (client) => {
      const { rows } = await client.query<{ events: number }>(SET_BACK, [
        epoch,
        transactionId,
        position,
      ]);
      return rows[0]?.events ?? null;
    }).catch(() => null); // Retried, because the run may also have killed the database server.
    if (passed !== null) return passed;
    await sleep(EVERY_MS);
  }
  return null;
};
