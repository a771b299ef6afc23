import { createLogger } from '#platform';
import { waitFor } from '#testing';
import { OffsetCommits } from './offset-commits.js';

const logger = createLogger('spec', { level: 'silent' });

/** Takes commits as a group's coordinator does, and refuses the first ones. */
const coordinator = (refusals: number) => {
  const committed = new Map<number, string>();
  let asked = 0;
  return {
    committed,
    asked: () => asked,
    commitOffsets: (offsets: readonly { partition: number; offset: string }[]) => {
      asked += 1;
      if (asked <= refusals) return Promise.reject(new Error('the coordinator is loading'));
      for (const { partition, offset } of offsets) committed.set(partition, offset);
      return Promise.resolve();
    },
  };
};

test('a commit that failed is made again, though nothing new comes', async () => {
  const group = coordinator(1);
  const offsets = new OffsetCommits(group, logger);
  offsets.done('orders', 0, '6');
  await waitFor(() => group.committed.get(0) === '7', { timeoutMs: 3_000 });
  await offsets.end();
});

test('and never takes back what was committed since', async () => {
  const group = coordinator(1);
  const offsets = new OffsetCommits(group, logger);
  offsets.done('orders', 0, '6');
  offsets.done('orders', 1, '3');
  await waitFor(() => group.asked() === 1);
  offsets.done('orders', 0, '8');
  await waitFor(() => group.committed.size === 2, { timeoutMs: 3_000 });
  await offsets.end();
  expect([...group.committed].toSorted()).toEqual([[0, '9'], [1, '4']]);
});

test('nothing is committed again that may be in other hands by now', async () => {
  const group = coordinator(1);
  const offsets = new OffsetCommits(group, logger);
  offsets.done('orders', 0, '6');
  await waitFor(() => group.asked() === 1);
  offsets.forget();
  await offsets.end();
  expect(group.committed.size).toBe(0);
});
