import { CoalescedReads } from './coalesced-reads.js';

test('requests that arrive during a read are all served by the next read', async () => {
  const asked: (readonly string[])[] = [];
  const reads = new CoalescedReads(async (keys) => {
    asked.push(keys);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
  });
  const first = reads.get('a');
  await Promise.resolve();
  const others = ['b', 'c', 'b', 'none'].map((key) => reads.get(key));
  expect(await first).toBe('A');
  expect(await Promise.all(others)).toEqual(['B', 'C', 'B', null]);
  expect(asked).toEqual([['a'], ['b', 'c', 'none']]);
  expect(await reads.get('a')).toBe('A');
});

test('if a read fails, only the requests that waited for this read fail', async () => {
  let failures = 1;
  const reads = new CoalescedReads((keys) => {
    failures -= 1;
    if (failures >= 0) return Promise.reject(new Error('away'));
    return Promise.resolve(new Map(keys.map((key) => [key, 1])));
  });
  const first = reads.get('a');
  await Promise.resolve();
  const second = reads.get('b');
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe(1);
});
