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

describe('SANDBOX_FORWARD_URL', () => {
  const SANDBOX_FORWARD_URL = 'http://127.0.0.1:3000/hook';

  test('is an http URL of this machine; the secret that signs forwarded webhooks stays the same', () => {
    expect(configWith({}).forward).toBeNull();
    const { forward } = configWith({ SANDBOX_FORWARD_URL });
    expect(forward).toEqual({
      url: SANDBOX_FORWARD_URL,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(configWith({ SANDBOX_FORWARD_URL }).forward).toEqual(forward);
  });

  test.each([
    'https://127.0.0.1/hook',
    'http://10.0.0.7/hook',
    'http://localhost.evil.test/',
    'http://2130706433.evil.test/',
    'no address',
  ])('cannot be %s', (url) => {
    expect(() => configWith({ SANDBOX_FORWARD_URL: url })).toThrow('must be an http URL of this');
  });

  test('is refused in production', () => {
    const production = {
      ...KEYS,
      SANDBOX_FORWARD_URL,
      NODE_ENV: 'production',
      SANDBOX_DATABASE_URL: 'postgres://app:a-long-password@db/sandbox?sslmode=verify-full',
    };
    expect(() => configWith(production)).toThrow('SANDBOX_FORWARD_URL is for development only');
  });
});

test.each(['sandbox.test', 'ftp://sandbox.test', 'http://'])(
  'the public URL %p is rejected',
  (SANDBOX_PUBLIC_URL) => {
    expect(() => configWith({ SANDBOX_PUBLIC_URL })).toThrow('SANDBOX_PUBLIC_URL must be');
  },
);
