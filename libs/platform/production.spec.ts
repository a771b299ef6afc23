import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, envSecret, envSecretOptional } from './config.js';
import {
  clockUrlFromEnv,
  databaseUrlFromEnv,
  refuseKnownSecret,
  requireHttps,
  requireTls,
} from './production.js';

const kept = { ...process.env };
const set = (values: Readonly<Record<string, string>>): void => {
  Object.assign(process.env, values);
};
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name];
  Object.assign(process.env, kept);
});

const URL_OF = (rest: string): string => `postgres://orchestrator_api:${rest}`;
const GOOD = URL_OF('4fT9w2@db.example/orchestrator?sslmode=verify-full');

describe('a secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const file = join(folder, 'one');
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is read from the named file, without the line break at its end', () => {
    writeFileSync(file, 'k1:abc\n');
    set({ A_SECRET_FILE: file });
    expect(envSecret('A_SECRET')).toBe('k1:abc');
  });

  test('is rejected if both the variable and the file are set', () => {
    set({ A_SECRET: 'x', A_SECRET_FILE: file });
    expect(() => envSecret('A_SECRET')).toThrow('set A_SECRET or A_SECRET_FILE, not both');
  });

  test('is named in the error if it is missing, empty or unreadable', () => {
    expect(envSecretOptional('A_SECRET')).toBeUndefined();
    expect(() => envSecret('A_SECRET')).toThrow(
      'set the environment variable A_SECRET or A_SECRET_FILE',
    );
    writeFileSync(file, ' \n');
    set({ A_SECRET_FILE: file });
    expect(() => envSecret('A_SECRET')).toThrow('which is empty');
    set({ A_SECRET_FILE: join(folder, 'none') });
    expect(() => envSecret('A_SECRET')).toThrow('which cannot be read');
  });
});

describe('a production process', () => {
  beforeEach(() => set({ NODE_ENV: 'production', ALLOW_PLAINTEXT: '' }));

  test('refuses a URL without TLS', () => {
    expect(() => requireHttps('PROVIDER_URL', 'http://provider.example')).toThrow(
      new ConfigError(
        `PROVIDER_URL must begin with https:// in production, not 'http://provider.example'`,
      ),
    );
    expect(requireHttps('PROVIDER_URL', 'https://provider.example')).toBe(
      'https://provider.example',
    );
  });

  test('refuses a connection without TLS, unless ALLOW_PLAINTEXT names its kind', () => {
    expect(() => requireTls('kafka', false, 'set KAFKA_TLS=1')).toThrow(
      'set KAFKA_TLS=1 in production, or name kafka in ALLOW_PLAINTEXT',
    );
    set({ ALLOW_PLAINTEXT: 'postgres, kafka' });
    expect(() => requireTls('kafka', false, 'set KAFKA_TLS=1')).not.toThrow();
    set({ ALLOW_PLAINTEXT: 'postgres' });
    expect(() => requireTls('kafka', false, 'set KAFKA_TLS=1')).toThrow(ConfigError);
    set({ ALLOW_PLAINTEXT: 'everything' });
    expect(() => requireTls('kafka', false, 'set KAFKA_TLS=1')).toThrow(
      `ALLOW_PLAINTEXT must name kafka or postgres, not 'everything'`,
    );
  });

  test.each([
    [URL_OF('4fT9w2@db.example/orchestrator'), 'must end in ?sslmode=verify-full'],
    [URL_OF('4fT9w2@db.example/o?sslmode=require'), 'must end in ?sslmode=verify-full'],
    [URL_OF('4fT9w2@db.example/o?sslmode=no-verify'), 'must end in ?sslmode=verify-full'],
    [URL_OF('development@db.example/o?sslmode=verify-full'), 'is publicly known'],
    [URL_OF('orchestrator_api@db.example/o?sslmode=verify-full'), `is the user's name`],
    ['postgres://orchestrator_api@db.example/o?sslmode=verify-full', 'is publicly known'],
  ])('refuses the database %s', (url, message) => {
    set({ DATABASE_URL: url });
    expect(() => databaseUrlFromEnv()).toThrow(message);
  });

  test('accepts a database with TLS and a password that is not publicly known', () => {
    set({ DATABASE_URL: GOOD });
    expect(databaseUrlFromEnv()).toBe(GOOD);
  });

  test('refuses a movable clock and publicly known API keys', () => {
    set({ CLOCK_URL: 'http://127.0.0.1:4103/sandbox/clock' });
    expect(() => clockUrlFromEnv()).toThrow('CLOCK_URL is for development');
    expect(() =>
      refuseKnownSecret('PARTNER_TEST_KEY', 'spart_test_sandboxdevelopmentkey01'),
    ).toThrow('PARTNER_TEST_KEY is publicly known');
  });
});

test('all settings that production refuses are accepted outside production', () => {
  set({ NODE_ENV: 'development', DATABASE_URL: URL_OF('development@db/o'), CLOCK_URL: 'http://x' });
  expect(databaseUrlFromEnv()).toBe(URL_OF('development@db/o'));
  expect(requireHttps('PROVIDER_URL', 'http://provider.example')).toBe('http://provider.example');
  expect(() => requireTls('kafka', false, '')).not.toThrow();
  expect(clockUrlFromEnv()).toBe('http://x');
});
