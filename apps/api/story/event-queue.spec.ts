import type { RecordedEvent } from '#log';
import { EventQueue, MAX_WAITING } from './event-queue.js';

const event = (version: number) => ({ version }) as RecordedEvent;

const versionsOf = async (queue: EventQueue): Promise<readonly number[]> => {
  const versions: number[] = [];
  for (;;) {
    const next = await queue.next(0);
    if (next === null || next === 'ended') return versions;
    versions.push(next.version);
  }
};

test('a subscriber that lags too far behind receives no event after the first one that it misses', async () => {
  const queue = new EventQueue();
  for (let version = 1; version <= MAX_WAITING + 1; version += 1) queue.take(event(version));
  expect(await queue.next(0)).toEqual(event(1));
  queue.take(event(MAX_WAITING + 2));
  expect((await versionsOf(queue)).at(-1)).toBe(MAX_WAITING);
  expect(await queue.next(0)).toBe('ended');
});

test('a subscriber whose stream has ended receives the events before the end, and none after it', async () => {
  const queue = new EventQueue();
  queue.take(event(1));
  queue.end();
  queue.take(event(2));
  expect(await versionsOf(queue)).toEqual([1]);
  expect(await queue.next(0)).toBe('ended');
});
