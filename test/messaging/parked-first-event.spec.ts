import { copying, type Harness, startHarness } from './harness.js';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.end());

const never = new AbortController().signal;

test('a first event that comes again leaves a parked stream, and its release, alone', async () => {
  let calls = 0;
  const consumer = harness.consumer(copying('again', () => {
    calls += 1;
    throw new TypeError('bug');
  }));
  const id = harness.newStream();
  await harness.note(id, 'bad');
  const ref = { consumer: 'again', streamType: 'order', streamId: id } as const;
  const news = await harness.store.readStream(ref, 0, 10);
  await consumer.intake.take(news, never);
  const { parkedKeys } = consumer;
  expect(await parkedKeys.list('again')).toHaveLength(1);
  await parkedKeys.requestRelease(ref);
  const before = calls;
  await consumer.intake.take(news, never);
  expect(calls).toBe(before);
  const [key] = await parkedKeys.list('again');
  expect(key?.releaseRequestedAt).not.toBeNull();
});
