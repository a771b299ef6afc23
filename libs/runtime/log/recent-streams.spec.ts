import { NEW_SAGA } from './log-storage.js';
import { RecentSagas, RecentStreams } from './recent-streams.js';

const KEYS = Array.from({ length: 2_000 }, (_, index) => `ord_${index}`);
const LARGE = { metadata: { note: 'x'.repeat(30_000) } };
const SMALL = { terms: { amountMinor: 1_250, currency: 'eur', captures: [] } };

const cachedStreams = (state: object): number => {
  const recent = new RecentStreams();
  for (const key of KEYS) recent.set(KEYS, 'order', key, { version: 1, state, traceparent: null });
  return KEYS.filter((key) => recent.get(KEYS, 'order', key) !== null).length;
};

const cachedSagas = (state: object): number => {
  const recent = new RecentSagas();
  for (const key of KEYS) recent.set('checkout', key, { ...NEW_SAGA, version: 1, state });
  return KEYS.filter((key) => recent.get('checkout', key) !== null).length;
};

test.each([cachedStreams, cachedSagas])(
  'the cache of stream states holds fewer streams if their states are larger: %p',
  (cached) => {
    expect(cached(SMALL)).toBe(KEYS.length);
    expect(cached(LARGE)).toBeLessThan(900);
    expect(cached(LARGE)).toBeGreaterThan(500);
  },
);

test('the size of a cached state is estimated again once the number of events of its stream has doubled', () => {
  const recent = new RecentStreams();
  for (const version of [1, 3]) {
    const state = version === 1 ? SMALL : LARGE;
    for (const key of KEYS) recent.set(KEYS, 'order', key, { version, state, traceparent: null });
  }
  expect(KEYS.filter((key) => recent.get(KEYS, 'order', key) !== null).length).toBeLessThan(900);
});
