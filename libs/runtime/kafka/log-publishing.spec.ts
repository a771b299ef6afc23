import type { LogCursor, LogEntry, NewerEvent } from '#log';
import { LogPublishing } from './log-publishing.js';

const LEASE = { token: '1', requireHeld: () => undefined };

const cursorAt = (position: number): LogCursor => ({
  epoch: 1,
  transactionId: String(position),
  position: String(position),
});

const known = (position: number): LogEntry => ({
  cursor: cursorAt(position),
  streamType: 'order',
  streamId: `ord_${position}`,
  version: 1,
  eventId: `event-${position}`,
  type: 'OrderPlaced',
  schemaVersion: 1,
  data: { at: '2026-03-01T12:00:00.000Z' },
  metadata: { correlationId: 'ord', causationId: 'req', actor: 'platform', traceparent: null },
  recordedAt: '2026-03-01T12:00:00.000Z',
});

const newer = (position: number): LogEntry => {
  const { cursor, streamType, eventId, metadata } = known(position);
  const ref = { streamType, streamId: 'ord_newer', version: 1, type: 'Newer', schemaVersion: 1 };
  return { ...ref, isNewer: true, cursor, eventId, metadata };
};

/** Fills exactly one batch; the next batch is read while this batch is published. */
const FULL_BATCH = Array.from({ length: 500 }, (_, index) => known(index + 1));
const LOG: readonly LogEntry[] = [...FULL_BATCH, newer(501), known(502)];

/** Publishes `LOG` until its end; `failing` throws once when it is called for the n-th time. */
const publishAll = async (failing: 'publish' | 'move', at: number) => {
  const sent = new Set<string>();
  const moves: [position: string, newly: readonly string[]][] = [];
  const heldBack: string[] = [];
  let position = cursorAt(0);
  let left = at;
  const failOnce = (name: typeof failing): void => {
    if (name === failing && (left -= 1) === 0) throw new Error(`${name} failed`);
  };
  const publishing = new LogPublishing({
    reader: {
      knows: () => false,
      readAfter: async ({ position }, limit) =>
        LOG.filter(({ cursor }) => Number(cursor.position) > Number(position)).slice(0, limit),
      readStreamFrom: async () => [],
    },
    publisher: {
      publish: async (messages) => {
        failOnce('publish');
        for (const { key } of messages) sent.add(key);
      },
    },
    cursor: {
      takeOver: async () => position,
      position: async () => position,
      blocked: async () => [],
      move: async (_token, from, to, newly: readonly NewerEvent[]) => {
        failOnce('move');
        expect(from).toEqual(position);
        position = to;
        moves.push([to.position, newly.map(({ streamId }) => streamId)]);
      },
      release: async () => undefined,
    },
    topics: { prefix: '' },
    onPublished: () => undefined,
    onHeldBack: ({ streamId }) => heldBack.push(streamId),
  });
  await publishing.begin(LEASE);
  let failures = 0;
  for (let result = 'more'; result === 'more';) {
    result = await publishing.round(LEASE).catch(() => {
      failures += 1;
      return 'more';
    });
  }
  return { sent, moves, heldBack, failures };
};

test.each([
  ['publish', 1],
  ['move', 1],
  ['publish', 2],
  ['move', 2],
] as const)(
  'a stream with an event of a newer release is recorded as blocked before the cursor passes the event, although `%s` fails at call %i',
  async (failing, at) => {
    const { sent, moves, heldBack, failures } = await publishAll(failing, at);
    expect(failures).toBe(1);
    expect(moves).toEqual([
      ['500', []],
      ['502', ['ord_newer']],
    ]);
    expect(heldBack).toEqual(['ord_newer']);
    expect(sent.size).toBe(501);
  },
);
