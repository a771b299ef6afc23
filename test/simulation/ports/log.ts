import {
  conflictError,
  type EventRow,
  type LogCursor,
  logEntry,
  type LogReader,
  type LogStorage,
  NEW_SAGA,
} from '#log';
import { UPCASTERS } from '#orchestrator';
import { type FencedCursor, type HeldLease, LeaseLost } from '#kafka';
import type { SimulatedDatabase } from './database.js';
import type { Exchange } from './exchange.js';

const isOneOf = (row: EventRow, streamType: string, streamId: string): boolean =>
  row.stream_type === streamType && row.stream_id === streamId;

/** The event log of the simulated database, as the event store reads it. */
export const simulatedLog = (database: SimulatedDatabase, exchange: Exchange): LogStorage => ({
  commit: (step) =>
    exchange('commit', 'commit', () => {
      const conflict = database.commit(step);
      if (conflict !== null) throw conflictError(step, conflict);
      return database.queuedOf(step);
    }),
  history: (ref, after, limit) =>
    exchange('read history', 'plain', () =>
      database
        .stream(ref)
        .slice(after, after + limit)
        .map((row) => ({ ...row, traceparent: row.metadata.traceparent })),
    ),
  readStreams: (refs, limit) =>
    exchange('read streams', 'plain', () =>
      database.events
        .filter((row) =>
          refs.some(({ streamType, streamId }) => isOneOf(row, streamType, streamId)),
        )
        .slice(0, limit ?? Infinity),
    ),
  readStream: (ref, after, limit) =>
    exchange('read stream', 'plain', () => database.stream(ref).slice(after, after + limit)),
  holdersOf: (scope, keys) =>
    exchange('read holders', 'plain', () => {
      const held = keys.map((key) => [key, database.holderOf(scope, key)] as const);
      return new Map(
        held.flatMap(([key, holder]) => (holder === undefined ? [] : [[key, holder]])),
      );
    }),
  loadSaga: (saga, key) =>
    exchange('read saga', 'plain', () => {
      const row = database.sagas.get(`${saga} ${key}`);
      if (row === undefined) return NEW_SAGA;
      const { version, state, done, waiting } = row;
      return { version, state, done, waiting };
    }),
});

/** The event log in its order, as the relay reads it. */
export const simulatedReader = (
  database: SimulatedDatabase,
  exchange: Exchange,
): Pick<LogReader, 'knows' | 'readAfter' | 'readStreamFrom'> => ({
  // All event types are known, because all events of a simulation have the same release.
  knows: () => true,
  readStreamFrom: () => Promise.resolve([]),
  readAfter: ({ position }, limit) =>
    exchange('read log', 'plain', () =>
      database.events
        .slice(Number(position), Number(position) + limit)
        .map((row) => logEntry(row, UPCASTERS)),
    ),
});

const cursorAt = (position: string): LogCursor => ({ epoch: 1, transactionId: position, position });

const isLaterHolders = (): LeaseLost =>
  new LeaseLost('the cursor belongs to a later holder of the lease');

/**
 * The relay's cursor. Only the last process that took it over can move it, even if another process
 * has since acquired the lease and not yet taken the cursor over.
 */
export const simulatedCursor = (
  database: SimulatedDatabase,
  exchange: Exchange,
): Pick<FencedCursor, 'takeOver' | 'position' | 'move' | 'blocked' | 'release'> => ({
  blocked: () => Promise.resolve([]),
  release: () => Promise.resolve(),
  takeOver: (token) =>
    exchange('take the cursor over', 'plain', () => {
      if (database.relay.cursorToken > Number(token)) throw isLaterHolders();
      database.relay.cursorToken = Number(token);
      return cursorAt(database.relay.position);
    }),
  position: () => exchange('read the cursor', 'plain', () => cursorAt(database.relay.position)),
  move: (token, from, to) =>
    exchange('move the cursor', 'plain', () => {
      const isThere = database.relay.position === from.position;
      if (database.relay.cursorToken !== Number(token) || !isThere) throw isLaterHolders();
      database.relay.position = to.position;
    }),
});

const LEASE_MS = 9_000;
/**
 * The time, on a process's clock, after which the process regards its lease as lost. It is shorter
 * than `LEASE_MS`, so that the process stops before the lease expires in the database.
 */
const SAFE_MS = 7_200;

/** Takes the relay's lease if it is free or expired, else returns `null`. */
export const acquireLease = async (
  database: SimulatedDatabase,
  exchange: Exchange,
  nowMs: () => number,
): Promise<Pick<HeldLease, 'token' | 'requireHeld'> | null> => {
  const askedAtMs = nowMs();
  const token = await exchange('acquire the lease', 'plain', () => {
    const { relay } = database;
    if (relay.expiresAtMs > nowMs()) return null;
    relay.token += 1;
    relay.expiresAtMs = nowMs() + LEASE_MS;
    return String(relay.token);
  });
  if (token === null) return null;
  return {
    token,
    requireHeld: () => {
      if (nowMs() >= askedAtMs + SAFE_MS) throw new LeaseLost('the lease ran out');
    },
  };
};

export const releaseLease = (
  database: SimulatedDatabase,
  exchange: Exchange,
  token: string,
): Promise<void> =>
  exchange('release the lease', 'plain', () => {
    if (database.relay.token === Number(token)) database.relay.expiresAtMs = 0;
  });
