import type { RecordedEvent } from '#log';
import { BlockedStreams } from '../../packages/subscriber/blocked-streams.js';
import { type Harness, history, never, refOf, startHarness, streamIdOf } from './harness.js';

/**
 * An event of a newer release may have a schema version that the subscriber's release does not
 * know. Its handler would misread the data.
 */

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.end());

const subscriber = () => {
  const parts = harness.intake('older');
  const { intake, store } = parts;
  return { ...parts, blocked: new BlockedStreams(store, intake.work, intake.patience) };
};

/** A stream whose second event has a version that no release has yet. */
const withNewer = (...texts: readonly (string | null)[]): readonly RecordedEvent[] =>
  history(...texts).map((event) => (event.version === 2 ? { ...event, schemaVersion: 99 } : event));

/** Does to the stored event what an upgrade of the package does: its version becomes a known one. */
const upgrade = (): Promise<unknown> =>
  harness.pool.query(
    `UPDATE subscriber_kept_events SET event = replace(event::text, ':99"', ':1"')::json`,
  );

test('an event of an unknown schema version blocks its stream, and no handler gets it', async () => {
  const { take, counts, blocked } = subscriber();
  const newer = withNewer('1', '2', '3');
  const sound = history('one', 'two');
  await take([...newer, ...sound]);
  expect(await harness.effects(newer)).toEqual(['1']);
  expect(await harness.effects(sound)).toEqual(['one', 'two']);
  expect(counts).toMatchObject({ handled: 3, blocked: 1, kept: 1, unknown: 0 });
  expect(await blocked.list()).toMatchObject([
    {
      streamId: streamIdOf(newer),
      version: 2,
      reason: 'newer',
      type: 'OrderFailed',
      error: expect.stringContaining('OrderFailed:99'),
    },
  ]);
});

test('a stream blocked by an unknown schema version continues with its next event once the package knows the version', async () => {
  const { take, blocked } = subscriber();
  const events = withNewer('1', '2', '3', '4');
  await take(events.slice(0, 3));
  await upgrade();
  await take(events.slice(3));
  expect(await harness.effects(events)).toEqual(['1', '2', '3', '4']);
  expect(await blocked.list()).toEqual([]);
});

test('a stream blocked by an unknown schema version continues without a further event once the package knows the version', async () => {
  const { take, blocked } = subscriber();
  const events = withNewer('1', '2', '3');
  await take(events);
  await upgrade();
  await blocked.resume(never);
  expect(await harness.effects(events)).toEqual(['1', '2', '3']);
  expect(await blocked.list()).toEqual([]);
});

test('a stream that stays blocked by an unknown schema version counts as blocked once', async () => {
  const { take, counts, blocked } = subscriber();
  const events = withNewer('1', '2', '3', '4');
  await take(events.slice(0, 2));
  await take(events.slice(2, 3));
  await blocked.resume(never);
  await take(events.slice(3));
  expect(await harness.effects(events)).toEqual(['1']);
  expect(counts).toMatchObject({ handled: 1, blocked: 1, kept: 2 });
  expect(await blocked.retry(refOf(events), never)).toMatchObject({ version: 2, reason: 'newer' });
});

test('an event of an unknown schema version without a handler is counted as unknown, and the stream continues', async () => {
  const { take, counts, warnings } = subscriber();
  const events = withNewer('1', null, '3');
  await take(events);
  expect(await harness.effects(events)).toEqual(['1', '3']);
  expect(counts).toMatchObject({ handled: 2, passed: 0, unknown: 1, blocked: 0 });
  expect(warnings).toMatchObject([{ type: 'OrderAuthorized', streamType: 'order' }]);
});
