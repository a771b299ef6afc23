import { NEW_SAGA } from './log-storage.js';
import { RecentSagas, RecentStreams } from './recent-streams.js';

const KEYS = Array.from({ length: 2_000 }, (_, index) => `ord_${index}`);
const LARGE = { metadata: { note: 'x'.repeat(30_000) } };
const SMALL = { terms: { amountMinor: 1_250, currency: 'eur', captures: [] } };

const rememberedStreams = (state: object): number => {
  const recent = new RecentStreams();
  for (const key of KEYS) recent.set(KEYS, 'order', key, { version: 1, state });
  return KEYS.filter((key) => recent.get(KEYS, 'order', key) !== null).length;
};

const rememberedSagas = (state: object): number => {
  const recent = new RecentSagas();
  for (const key of KEYS) recent.set('checkout', key, { ...NEW_SAGA, version: 1, state });
  return KEYS.filter((key) => recent.get('checkout', key) !== null).length;
};

test.each([rememberedStreams, rememberedSagas])(
  'remembers fewer large states than small ones: %p',
  (remembered) => {
    expect(remembered(SMALL)).toBe(KEYS.length);
    expect(remembered(LARGE)).toBeLessThan(900);
    expect(remembered(LARGE)).toBeGreaterThan(500);
  },
);
