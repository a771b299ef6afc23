import { waitFor } from '#testing';
import {
  copies, copying, firstOccurrences, type Harness, readTopic, startHarness, upTo,
} from './harness.js';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.end());

test('what is committed is published in order, and its effect happens once', async () => {
  harness.relay(harness.publisher()).start();
  const consumer = harness.consumer(copying('copier'));
  consumer.start();
  const streams = Array.from({ length: 8 }, () => harness.newStream());
  await Promise.all(
    streams.map(async (id) => {
      for (let round = 0; round < 10; round += 1) {
        await harness.note(id, `a${round}`, `b${round}`);
        await harness.hum(id);
      }
    }),
  );
  for (const id of streams) {
    await waitFor(async () => (await copies(harness, 'copier', id)).length === 20);
    const expected = upTo(10).flatMap((n) => [`a${n - 1}`, `b${n - 1}`]);
    expect(await copies(harness, 'copier', id)).toEqual(expected);
  }
  await waitFor(async () => (await consumer.lag()) === 0);
  const told = firstOccurrences(await readTopic(harness));
  for (const id of streams) expect(told.get(id)).toEqual(upTo(30));
});
