import { setTimeout as sleep } from 'node:timers/promises';
import { OffsetCommits } from './offset-commits.js';

const logger = { debug: () => undefined };

const until = async (isSo: () => boolean): Promise<void> => {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 300) throw new Error('it did not happen within 3 s');
    await sleep(10);
  }
};

/** Simulates a group coordinator that accepts commits but rejects the first of them. */
const coordinator = (rejections: number) => {
  const committed = new Map<number, string>();
  let asked = 0;
  return {
    committed,
    asked: () => asked,
    commitOffsets: (offsets: readonly { partition: number; offset: string }[]) => {
      asked += 1;
      if (asked <= rejections) return Promise.reject(new Error('the coordinator is loading'));
      for (const { partition, offset } of offsets) committed.set(partition, offset);
      return Promise.resolve();
    },
  };
};

test('the subscriber retries a failed offset commit even if no message follows', async () => {
  const group = coordinator(1);
  const offsets = new OffsetCommits(group, logger);
  offsets.done('orders', 0, '6');
  await until(() => group.committed.get(0) === '7');
  await offsets.end();
});

test('the subscriber never commits a lower offset after a higher one', async () => {
  const group = coordinator(1);
  const offsets = new OffsetCommits(group, logger);
  offsets.done('orders', 0, '6');
  offsets.done('orders', 1, '3');
  await until(() => group.asked() === 1);
  offsets.done('orders', 0, '8');
  await until(() => group.committed.size === 2);
  await offsets.end();
  expect([...group.committed].toSorted()).toEqual([
    [0, '9'],
    [1, '4'],
  ]);
});

test('the subscriber does not retry an offset commit of partitions that may be assigned to another process', async () => {
  const group = coordinator(1);
  const offsets = new OffsetCommits(group, logger);
  offsets.done('orders', 0, '6');
  await until(() => group.asked() === 1);
  offsets.drop();
  await offsets.end();
  expect(group.committed.size).toBe(0);
});
