import type { RecordedEvent } from '#log';
import { BlockedStreams } from '../../packages/subscriber/blocked-streams.js';
import { type Harness, history, startHarness, streamIdOf } from './harness.js';

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

test('an event of an unknown schema version without a handler is counted as unknown, and the stream continues', async () => {
  const { take, counts, warnings } = subscriber();
  const events = withNewer('1', null, '3');
  await take(events);
  expect(await harness.effects(events)).toEqual(['1', '3']);
  expect(counts).toMatchObject({ handled: 2, passed: 0, unknown: 1, blocked: 0 });
  expect(warnings).toMatchObject([{ type: 'OrderAuthorized', streamType: 'order' }]);
});
