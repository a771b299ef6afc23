import { LogReader } from '#log';
import { waitFor } from '#testing';
import {
  firstOccurrences,
  type Harness,
  lendHarnessDatabases,
  notebook,
  readTopic,
  startHarness,
  upTo,
} from './harness.js';

/**
 * Tests the relay with events of a newer release, whose types or schema versions the relay does not
 * support.
 */

const databases = lendHarnessDatabases();
let harness: Harness;
beforeEach(async () => {
  harness = await startHarness({}, databases);
});
afterEach(() => harness.end());

/** Appends an event of a newer release to the stream, with the data of the first event. */
const noteNewer = async (id: string, type = 'Whispered', schemaVersion = 1): Promise<void> => {
  const {
    rows: [row],
  } = await harness.pool.query<{ version: number }>(
    'SELECT max(version) AS version FROM events WHERE stream_id = $1',
    [id],
  );
  // By the administrator, because the relay's role may not insert events.
  await harness.admin.query(
    `INSERT INTO events (stream_type, stream_id, version, event_id, type, schema_version, data,
                         metadata)
     SELECT stream_type, stream_id, $2, gen_random_uuid(), $3, $4, data, metadata
       FROM events WHERE stream_id = $1 AND version = 1`,
    [id, (row?.version ?? 0) + 1, type, schemaVersion],
  );
};

const noteBehind = async (id: string, ...types: readonly string[]): Promise<void> => {
  for (const type of types) await noteNewer(id, type);
};

const held = async (): Promise<readonly object[]> =>
  (
    await harness.pool.query<{ id: string; version: number; type: string }>(
      'SELECT reader, stream_id AS id, version, type FROM blocked_streams ORDER BY stream_id',
    )
  ).rows;

const newerReader = (): LogReader =>
  new LogReader(harness.pool, { ...notebook.upcasters, Whispered: [] });

test.each([
  ['type', 'Whispered', 1],
  ['schema version', 'Noted', 2],
])(
  'the relay does not publish an event with an unknown %s, and the event blocks only its stream',
  async (_what, type, schemaVersion) => {
    const [id, other] = [harness.newStream(), harness.newStream()];
    const relay = harness.relay(harness.publisher());
    relay.start();
    await harness.note(id, 'a');
    await noteNewer(id, type, schemaVersion);
    await harness.note(other, 'a', 'b');
    await waitFor(() => harness.isPublished());
    await noteBehind(id, 'Noted');
    await harness.note(other, 'c');
    await waitFor(() => harness.isPublished());
    const published = firstOccurrences(await readTopic(harness));
    expect([published.get(id), published.get(other)]).toEqual([[1], upTo(3)]);
    expect(await held()).toEqual([{ reader: 'relay', id, version: 2, type }]);
    expect(relay.failing).toBe(false);
    expect(await harness.metricsText()).toContain('streams_awaiting_upgrade{reader="relay"} 1');
  },
);

test('the relay of a release that knows the blocked events publishes them, each stream in order', async () => {
  const ids = upTo(3).map(() => harness.newStream());
  for (const id of ids) await harness.note(id, 'a');
  for (const id of ids) await noteBehind(id, 'Whispered', 'Noted');
  const old = harness.relay(harness.publisher());
  old.start();
  await waitFor(() => harness.isPublished());
  await old.stop();
  const [first = ''] = ids;
  await noteBehind(first, 'Shouted', 'Noted');

  const newer = harness.relay(harness.publisher(), { reader: newerReader() });
  newer.start();
  await waitFor(async () => (await harness.isPublished()) && (await held()).length === 1);
  for (const id of ids) await noteBehind(id, 'Noted');
  await waitFor(() => harness.isPublished());
  const published = firstOccurrences(await readTopic(harness));
  expect(ids.map((id) => published.get(id))).toEqual([upTo(3), upTo(4), upTo(4)]);
  expect(await held()).toEqual([{ reader: 'relay', id: first, version: 4, type: 'Shouted' }]);
});
