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
  UPDATE log_cursors c
     SET epoch = $1, transaction_id = $2::xid8, position = $3, token = token + 1
   WHERE name = 'relay'
     AND (SELECT count(*) FROM events e WHERE e.position <= c.position) >= ${ENOUGH_EVENTS}`;

/**
 * Moves the relay's cursor back to the beginning of the log after the relay has published enough
 * events, so that it publishes every event again. (A crash of the server could lose only the last
 * moves of the cursor.) The changed token forces the relay to read its cursor again. Returns
 * whether the cursor was moved before `isOver` returned true.
 */
export const setRelayBack = async (url: string, isOver: () => boolean): Promise<boolean> => {
  const { epoch, transactionId, position } = LOG_START;
  let isDone = false;
  while (!isDone && !isOver()) {
    await onServer(url, async (client) => {
      const { rowCount } = await client.query(SET_BACK, [epoch, transactionId, position]);
      isDone = rowCount === 1;
    }).catch(() => undefined); // Retried, because the run may also have killed the database server.
    if (!isDone) await sleep(EVERY_MS);
  }
  return isDone;
};
