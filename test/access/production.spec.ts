import { spawnSync } from 'node:child_process';
import { markProduction } from '#platform';
import { createDatabase, type DatabaseApp, specPool, type TestDatabase } from '#testing';
import { programFile } from '../../tools/infra/programs.mjs';
import { startHere } from '../support/start-here.js';

const SECRET = '4fT9w2Lq';
const database = (role: string): string =>
  `postgres://${role}:${SECRET}@db.example/orchestrator?sslmode=verify-full`;

/**
 * Valid settings of a process in production; the test does not connect to the hosts named in them.
 */
const GOOD = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  DATABASE_URL: database('orchestrator_all'),
  SANDBOX_DATABASE_URL: database('sandbox_app'),
  KAFKA_BROKERS: '127.0.0.1:9',
  KAFKA_TLS: '1',
  PROVIDER_URL: 'https://provider.example',
  PUBLIC_WEBHOOK_URL: 'https://hooks.example',
  ADMIN_ORIGIN: 'https://console.example',
  SECRETS_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
};

const start = (
  app: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [programFile(app), ...args], {
    encoding: 'utf8',
    timeout: 50_000,
    env: { PATH: process.env['PATH'] ?? '', ...GOOD, ...env },
  });
  return { status, text: `${stdout}${stderr}` };
};

const REFUSED_SETTINGS = [
  ['all', { PROVIDER_URL: 'http://provider.example' }, 'PROVIDER_URL must begin with https://'],
  [
    'api',
    { PUBLIC_WEBHOOK_URL: 'http://hooks.example' },
    'PUBLIC_WEBHOOK_URL must begin with https://',
  ],
  ['worker', { KAFKA_TLS: '0' }, 'set KAFKA_TLS=1 in production'],
  ['worker', { CLOCK_URL: 'http://127.0.0.1:4103/sandbox/clock' }, 'CLOCK_URL is for development'],
  ['admin', { ADMIN_ORIGIN: 'http://console.example' }, 'ADMIN_ORIGIN must begin with https://'],
  [
    'admin',
    { DATABASE_URL: `postgres://orchestrator_admin:${SECRET}@db.example/orchestrator` },
    'must end in ?sslmode=verify-full',
  ],
  [
    'api',
    {
      DATABASE_URL:
        'postgres://orchestrator_api:development@db.example/orchestrator' + '?sslmode=verify-full',
    },
    'publicly known',
  ],
  ['all', { PARTNER_TEST_KEY: 'spart_test_sandboxdevelopmentkey01' }, 'publicly known'],
  ['sandbox', {}, 'SANDBOX_TEST_KEY is publicly known'],
] as const;

/** For each app, one setting that the app refuses in production. */
const ONE_EACH = [...new Map(REFUSED_SETTINGS.map((one) => [one[0], one])).values()];

test.each(REFUSED_SETTINGS)(
  'the app %s refuses to start in production with %j',
  (app, env, message) =>
    expect(startHere({ app, port: 0, env: { ...GOOD, ...env } })).rejects.toThrow(message),
);

test.each(ONE_EACH)(
  'the app %s with the settings %j prints why it does not start in production, and exits with code 1',
  (app, env, message) => {
    const { status, text } = start(app, env);
    expect(text).toContain(message);
    expect(status).toBe(1);
  },
);

test('the app api does not start without SECRETS_KEY', () =>
  expect(
    startHere({ app: 'api', port: 0, env: { ...GOOD, NODE_ENV: 'development', SECRETS_KEY: '' } }),
  ).rejects.toThrow('set the environment variable SECRETS_KEY'));

test.each(['keys', 'ops', 'migrate', 'log-rebase'])(
  'the tool %s refuses an unencrypted database connection in production',
  (tool) => {
    const args = { migrate: ['orchestrator'], keys: ['list'], ops: ['requests'] }[tool] ?? [];
    const { status, stderr } = spawnSync(process.execPath, [programFile(tool), ...args], {
      encoding: 'utf8',
      timeout: 50_000,
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_ENV: 'production',
        DATABASE_URL: `postgres://orchestrator_ops:${SECRET}@db.example/orchestrator`,
      },
    });
    expect(stderr).toContain('DATABASE_URL must end in ?sslmode=verify-full in production');
    expect(status).toBe(1);
  },
);

describe('on a production database', () => {
  let marked: TestDatabase;
  beforeAll(async () => {
    marked = await createDatabase('orchestrator');
    const client = specPool(marked.url, 1);
    await markProduction(client);
    await client.end();
  });
  afterAll(() => marked.drop());

  const REFUSED = 'this database is a production database: set NODE_ENV=production';
  const asDeveloper = (role: DatabaseApp): Readonly<Record<string, string>> => ({
    ...GOOD,
    NODE_ENV: 'development',
    DATABASE_URL: marked.urlFor(role),
    API_PORT: '0',
    API_TLS_PORT: '0',
    API_INTERNAL_PORT: '0',
    WORKER_PORT: '0',
    ADMIN_PORT: '0',
  });

  test.each(['all', 'api', 'worker', 'admin'] as const)(
    'the app %s does not start with development settings',
    (app) => expect(startHere({ app, port: 0, env: asDeveloper(app) })).rejects.toThrow(REFUSED),
  );

  test.each([
    ['keys', ['list']],
    ['ops', ['requests']],
    ['log-rebase', []],
    ['projections', ['rebuild', 'order_list', '--reason', 'spec']],
    ['relay', ['republish', 'order', '--reason', 'spec']],
  ] as const)('the tool %s does not run with development settings', (tool, args) => {
    const { status, text } = start(tool, asDeveloper('ops'), args);
    expect(text).toContain(REFUSED);
    expect(status).toBe(1);
  });
});
