import { newId } from '#kernel';
import type { NewerEvent, RecordedEvent } from '#log';
import { createLogger } from '#platform';
import { EventQueue, MAX_WAITING } from './event-queue.js';

const ID = newId('ord');
const logger = createLogger('spec', { level: 'silent' });

const event = (version: number) => ({ version, metadata: { correlationId: ID } }) as RecordedEvent;

const versionsOf = async (queue: EventQueue): Promise<readonly number[]> => {
  const versions: number[] = [];
  for (;;) {
    const next = await queue.next(0);
    if (next === null || next === 'ended') return versions;
    versions.push(next.version);
  }
};

test('a subscriber that lags too far behind receives no event after the first one that it misses', async () => {
  const queue = new EventQueue(ID, logger);
  queue.take(Array.from({ length: MAX_WAITING + 1 }, (_, index) => event(index + 1)));
  expect(await queue.next(0)).toEqual(event(1));
  queue.take([event(MAX_WAITING + 2)]);
  expect((await versionsOf(queue)).at(-1)).toBe(MAX_WAITING);
  expect(await queue.next(0)).toBe('ended');
});

test('a subscriber receives no event after one that only a newer release can read', async () => {
  const queue = new EventQueue(ID, logger);
  const newer = { ...event(2), isNewer: true } as NewerEvent;
  queue.take([event(1), newer, event(3)]);
  queue.take([event(4)]);
  expect(await versionsOf(queue)).toEqual([1]);
  expect(await queue.next(0)).toBe('ended');
});
