import { ConfigError } from '#platform';
import { sandboxConfigFromEnv } from './sandbox-config.js';

const KEYS = {
  SANDBOX_TEST_KEY: 'stest_oursalone0123456789',
  SANDBOX_LIVE_KEY: 'sprod_oursalone0123456789',
  PARTNER_TEST_KEY: 'spart_test_oursalone0123456789',
  PARTNER_LIVE_KEY: 'spart_live_oursalone0123456789',
};

const configWith = (env: Readonly<Record<string, string>>) => {
  const before = process.env;
  process.env = { SANDBOX_DATABASE_URL: 'postgres://here/sandbox', ...env };
  try {
    return sandboxConfigFromEnv();
  } finally {
    process.env = before;
  }
};

test.each(['127.0.0.1', '::1', 'localhost', '127.1.2.3'])(
  'on %s the development keys are accepted and the control routes enabled',
  (HOST) => {
    const { testKey, liveKey, control } = configWith({ HOST });
    expect(testKey).toMatch(/^stest_/);
    expect(liveKey).toMatch(/^sprod_/);
    expect(control).toBe(true);
  },
);

describe.each(['0.0.0.0', '::', '10.0.0.7', '127.evil.test'])(
  'a sandbox that listens on %s, which is not a loopback address,',
  (HOST) => {
    test.each(Object.keys(KEYS))('requires %s', (name) => {
      const attempt = () => configWith({ HOST, ...KEYS, [name]: '' });
      expect(attempt).toThrow(ConfigError);
      expect(attempt).toThrow(`set ${name}`);
    });

    test('starts with configured keys, and without control routes by default', () => {
      expect(configWith({ HOST, ...KEYS })).toMatchObject({
        testKey: KEYS.SANDBOX_TEST_KEY,
        liveKey: KEYS.SANDBOX_LIVE_KEY,
        control: false,
      });
    });
  },
);

test('PARTNER_TEST_KEY and PARTNER_LIVE_KEY define one partner; SANDBOX_PARTNERS defines several partners, each by a name and two keys', () => {
  const { PARTNER_TEST_KEY: testKey, PARTNER_LIVE_KEY: liveKey } = KEYS;
  expect(configWith(KEYS).partners).toEqual([{ name: 'platform', testKey, liveKey }]);
  const SANDBOX_PARTNERS = `p1:${testKey}:${liveKey},p2:${testKey}2:${liveKey}2`;
  expect(configWith({ ...KEYS, SANDBOX_PARTNERS }).partners.map(({ name }) => name)).toEqual([
    'p1',
    'p2',
  ]);
  expect(() => configWith({ ...KEYS, PARTNER_TEST_KEY: liveKey })).toThrow('PARTNER_TEST_KEY');
});

test.each(['sandbox.test', 'ftp://sandbox.test', 'http://'])(
  'the public URL %p is rejected',
  (SANDBOX_PUBLIC_URL) => {
    expect(() => configWith({ SANDBOX_PUBLIC_URL })).toThrow('SANDBOX_PUBLIC_URL must be');
  },
);
