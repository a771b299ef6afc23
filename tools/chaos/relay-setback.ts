import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { LOG_START } from '#log';
import { onServer } from '../infra/databases.mjs';

/**
 * The number of events that the relay must have published before its cursor is moved back, so that
 * enough events are published again.
 */
const ENOUGH_EVENTS = 100;
const EVERY_MS = 20;
/** The delay before reconnecting after a killed server has broken the connection. */
const RECONNECT_MS = 300;

const SET_BACK = `
  WITH published AS (
    SELECT count(*)::int AS events
      FROM log_cursors c
      JOIN events e ON (e.epoch, e.transaction_id, e.position)
                       <= (c.epoch, c.transaction_id, c.position)
     WHERE c.name = 'relay')
  UPDATE log_cursors c
     SET epoch = $1, transaction_id = $2::xid8, position = $3, token = token + 1
    FROM published p, set_config('chaos.sets_back', 'on', true)
   WHERE c.name = 'relay' AND p.events >= ${ENOUGH_EVENTS}
  RETURNING p.events`;

const POSITION = `SELECT position::text FROM log_cursors WHERE name = 'relay'`;

/**
 * Moves the relay's cursor back just after the relay has moved it forward. Returns null if `isOver`
 * returned true earlier.
 */
const setBackOn = async (client: Client, isOver: () => boolean): Promise<number | null> => {
  const { epoch, transactionId, position } = LOG_START;
  for (let last: string | null = null; !isOver(); await sleep(EVERY_MS)) {
    const now = (await client.query<{ position: string }>(POSITION)).rows[0]?.position ?? null;
    const isMoving = last !== null && now !== last;
    last = now;
    if (!isMoving) continue;
    const values = [epoch, transactionId, position];
    const { rows } = await client.query<{ events: number }>(SET_BACK, values);
    if (rows[0] !== undefined) return rows[0].events;
  }
  return null;
};

/**
 * Moves the relay's cursor back to the beginning of the log, so that the relay publishes every
 * event again. (A crash of the server could lose only the last moves of the cursor.) First waits
 * until the relay has published enough events. The cursor is moved back just after the relay has
 * moved it forward, and under a new fencing token, as by a process that has acquired the lease.
 * Returns how many events will be published again; null if `isOver` returned true earlier.
 */
export const setRelayBack = async (url: string, isOver: () => boolean): Promise<number | null> => {
  while (!isOver()) {
    const passed = await onServer(url, (client) => setBackOn(client, isOver)).catch(() => null);
    if (passed !== null) return passed;
    await sleep(RECONNECT_MS); // The run may also have killed the database server.
  }
  return null;
};
