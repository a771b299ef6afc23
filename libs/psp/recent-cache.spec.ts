import { RecentCache } from './recent-cache.js';

const setUp = (): { cache: RecentCache<string>; reads: string[]; wait(ms: number): void } => {
  let nowMs = 0;
  return {
    cache: new RecentCache<string>(2, 1_000, () => nowMs),
    reads: [],
    wait: (ms) => {
      nowMs += ms;
    },
  };
};

describe('the cache of recently read values', () => {
  test('returns a value without a further read until the value expires', async () => {
    const { cache, reads, wait } = setUp();
    const get = (): Promise<string | null> => cache.get('a', async () => `read ${reads.push('a')}`);
    expect([await get(), await get()]).toEqual(['read 1', 'read 1']);
    wait(999);
    expect(await get()).toBe('read 1');
    wait(1);
    expect(await get()).toBe('read 2');
  });

  test('stores neither missing values nor failed reads', async () => {
    const { cache } = setUp();
    expect(await cache.get('a', async () => null)).toBeNull();
    await expect(cache.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache.get('a', async () => 'there')).toBe('there');
  });

  test('stores at most as many values as its capacity, and drops the oldest value first', async () => {
    const { cache, reads } = setUp();
    const get = (key: string): Promise<string | null> =>
      cache.get(key, async () => {
        reads.push(key);
        return key;
      });
    for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await get(key);
    expect(reads).toEqual(['a', 'b', 'c', 'a']);
  });
});
