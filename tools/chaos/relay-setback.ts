import { setTimeout as sleep } from 'node:timers/promises';
import { LOG_START } from '#log';
import { onServer } from '../infra/databases.mjs';

/**
 * The minimum number of published events before the cursor is moved: with fewer, too little would
 * be published again.
 */
const ENOUGH_EVENTS = 100;
const EVERY_MS = 300;

const SET_BACK = `
  UPDATE log_cursors c
     SET epoch = $1, transaction_id = $2::xid8, position = $3, token = token + 1
   WHERE name = 'relay'
     AND (SELECT count(*) FROM events e WHERE e.position <= c.position) >= ${ENOUGH_EVENTS}`;

/**
 * Moves the relay's cursor back to the beginning once the relay has published enough. This is
 * further than a crash of the server can move it, which loses only its last moves. The changed
 * token makes the relay read its cursor again, and the relay publishes every event again. Returns
 * whether the cursor was moved before `isOver`.
 */
export const setRelayBack = async (url: string, isOver: () => boolean): Promise<boolean> => {
  const { epoch, transactionId, position } = LOG_START;
  let isDone = false;
  while (!isDone && !isOver()) {
    await onServer(url, async (client) => {
      const { rowCount } = await client.query(SET_BACK, [epoch, transactionId, position]);
      isDone = rowCount === 1;
    }).catch(() => undefined); // The server is killed, too: then it is retried.
    if (!isDone) await sleep(EVERY_MS);
  }
  return isDone;
};
