import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { allKnown, LOG_START, type LogCursor, type LogReader, type StreamType } from '#event-store';
import { Rejection } from '#kernel';
import { encodeCloudEvent } from './cloud-event.js';
import { type HeldLease, keepHeld, Lease } from './lease.js';
import type { Publisher } from './publisher.js';
import { RELAY_NAME } from './relay.js';
import { FencedCursor } from './relay-cursor.js';
import { sendable } from './send-size.js';
import type { TopicSettings } from './topics.js';

const LEASE_TTL_MS = 15_000;
const LEASE_POLL_MS = 500;
const BATCH_EVENTS = 500;

export interface RepublishOptions {
  readonly pool: Pool;
  readonly reader: LogReader;
  readonly publisher: Publisher;
  readonly topics: Pick<TopicSettings, 'prefix'>;
  readonly streamType: StreamType;
  /** The log position of the first event to be told again; `null`: from the beginning. */
  readonly fromPosition: string | null;
  /** How long to wait until the running relay has stopped. */
  readonly waitMs: number;
  /** How long after we are gone the relay may go on; default 15 000. */
  readonly leaseTtlMs?: number;
  readonly onProgress: (republished: number) => void;
}

const isAfter = (a: LogCursor, b: LogCursor): boolean => {
  if (a.epoch !== b.epoch) return a.epoch > b.epoch;
  const [ta, tb] = [BigInt(a.transactionId), BigInt(b.transactionId)];
  return ta === tb ? BigInt(a.position) > BigInt(b.position) : ta > tb;
};

const takeRelaysPlace = async (options: RepublishOptions): Promise<HeldLease> => {
  const { pool, waitMs, leaseTtlMs = LEASE_TTL_MS } = options;
  const lease = new Lease(pool, RELAY_NAME, `republish ${process.pid}`, leaseTtlMs);
  const lastTryMs = performance.now() + waitMs;
  for (;;) {
    const held = await lease.acquire();
    if (held !== null) return held;
    if (performance.now() > lastTryMs) {
      const message = 'the relay is running: stop every worker, then try again';
      throw new Rejection('relay_running', message);
    }
    await sleep(LEASE_POLL_MS);
  }
};

const justBefore = async (pool: Pool, position: string | null): Promise<LogCursor> => {
  if (position === null) return LOG_START;
  const { rows } = await pool.query<{ epoch: number; transaction_id: string; before: string }>(
    'SELECT epoch, transaction_id, position - 1 AS before FROM events WHERE position = $1',
    [position],
  );
  const row = rows[0];
  if (!row) throw new Rejection('no_such_position', `the log has no event at position ${position}`);
  return { epoch: row.epoch, transactionId: row.transaction_id, position: row.before };
};

/**
 * Tells one topic again from the log, up to where the relay has come; the relay goes on from there.
 * Takes the relay's place meanwhile: were it to publish something new into a topic that has lost
 * its beginning, first occurrences would not come in order. Answers how many events were told.
 *
 * @throws Rejection `relay_running`, `no_such_position`; LeaseLost when a relay came in between.
 */
export const republish = async (options: RepublishOptions): Promise<number> => {
  const { pool } = options;
  const from = await justBefore(pool, options.fromPosition);
  const held = await takeRelaysPlace(options);
  const told = new AbortController();
  // A renewal that fails is made up for by the next; a lease that is lost ends the telling.
  const kept = keepHeld(held, told.signal, () => undefined);
  try {
    const end = await new FencedCursor(pool, RELAY_NAME).takeOver(held.token);
    return await tell(options, held, from, end);
  } finally {
    told.abort();
    await kept;
    await held.release();
  }
};

const tell = async (
  options: RepublishOptions, held: HeldLease, from: LogCursor, end: LogCursor,
): Promise<number> => {
  const { reader, publisher, topics, streamType, onProgress } = options;
  let at = from;
  let republished = 0;
  for (;;) {
    const events = allKnown(await reader.readAfter(at, BATCH_EVENTS));
    const known = events.filter(({ cursor }) => !isAfter(cursor, end));
    const batch = known
      .filter((event) => event.streamType === streamType)
      .map((event) => encodeCloudEvent(event, topics));
    for (let left = batch; left.length > 0;) {
      const next = sendable(left);
      held.requireHeld();
      await publisher.publish(next);
      // Lost meanwhile: what a relay told in between may lie before ours, so this is no success.
      held.requireHeld();
      left = left.slice(next.length);
    }
    republished += batch.length;
    onProgress(republished);
    const last = known.at(-1);
    if (last === undefined || known.length < events.length) return republished;
    at = last.cursor;
  }
};
