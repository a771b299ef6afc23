import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { randomText } from '#kernel';
import { ApiKeyStore } from '#platform';
import { freePort, specPool } from '#testing';
import { environmentFor } from '../../tools/infra/app-environment.mjs';
import { environmentOf } from '../../tools/infra/environment.mjs';
import { ensureNode, imagesNode } from '../../tools/infra/other-node.mjs';
import { type Supervised, tailOf, waitReady } from '../../tools/infra/processes.mjs';
import { heapArgs, MALLOC } from '../../tools/infra/settings.mjs';
import { DATABASE_ROLES, type DatabaseKind, roleUrl } from '../../tools/infra/roles.mjs';
import { dropDatabase, ownedDatabase } from '../../tools/stack/databases.js';
import { runnersServers } from '../support/servers.js';
import { entryPoints, type Image, makeImage } from './image.js';

/**
 * Simulates the container: a machine that has only Node and the files of the image. A user without
 * write access starts every program.
 */

const INSTALLED_WITHIN_MS = 600_000;
const READY_WITHIN_MS = 120_000;

/**
 * What each tool prints when it is started without arguments: its usage, or the name of a missing
 * setting.
 */
const TOOLS: Readonly<Record<string, string>> = {
  health: 'usage: health <port>|process:<id>',
  keys: 'npm run keys -- create',
  'kafka-access': 'set the environment variable KAFKA_BROKERS',
  'log-rebase': 'set the environment variable DATABASE_URL',
  migrate: 'usage: migrate orchestrator|sandbox',
  ops: 'npm run ops -- requests',
  projections: 'usage: npm run projections',
  relay: 'usage: npm run relay',
  roles: 'usage: roles orchestrator|sandbox|fulfilment',
};
/** Tools that connect to the database before they print their usage. */
const NEEDS_DATABASE = new Set(['keys', 'ops']);

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  } catch {
    return false; // The program does not listen yet.
  }
};

const { databaseUrl, brokers } = runnersServers();
let image: Image;
let nodeFolder: string;

beforeAll(async () => {
  image = makeImage();
  const version = imagesNode();
  const isOurs = version === process.versions.node;
  nodeFolder = image.nodeFolder(version, isOurs ? process.execPath : await ensureNode(version));
}, INSTALLED_WITHIN_MS);

test('the image uses an LTS line of Node, and runs as an unprivileged user', () => {
  expect(imagesNode()).toMatch(/^24\.\d+\.\d+$/);
  expect(image.user).toBe('node');
  const command = ['node', '--enable-source-maps', ...heapArgs('all'), 'dist/programs/all.js'];
  expect(image.command).toEqual(command);
  expect(image.env).toEqual({ ...MALLOC, NODE_ENV: 'production' });
});

test('the image of the sandbox has the files of the product’s image, and starts and checks the sandbox', () => {
  const { folder, user, command, health, env } = image.sandbox;
  expect({ folder, user }).toEqual({ folder: image.folder, user: 'node' });
  expect(command).toEqual([
    'node',
    '--enable-source-maps',
    ...heapArgs('sandbox'),
    'dist/programs/sandbox.js',
  ]);
  expect(health).toBe('node dist/programs/health.js "${SANDBOX_PORT:-4103}"');
  expect(env).toEqual({ ...MALLOC, NODE_ENV: 'development', HOST: '0.0.0.0' });
});

test('this spec tests every tool of the image that is started with node', () => {
  expect(Object.keys(TOOLS).sort()).toEqual(entryPoints().tools);
});

describe('with the image’s version of Node', () => {
  const running: Supervised[] = [];
  const databases: string[] = [];
  let count = 0;
  /** Starts a tool and reads all of its output. */
  const start = (
    name: string,
    command: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) => {
    count += 1;
    const program = image.start({
      name,
      command,
      env,
      nodeFolder,
      logFile: join(image.folder, '..', 'logs', `${count}-${name}.log`),
    });
    running.push(program);
    return program;
  };
  const said = async (tool: Supervised): Promise<{ code: number | null; text: string }> => {
    const { code } = await tool.exited;
    return { code, text: tailOf(tool.logFile ?? '', 100) };
  };
  const database = async (kind: DatabaseKind): Promise<string> => {
    databases.push(await ownedDatabase(databaseUrl, kind));
    return databases.at(-1) ?? '';
  };

  afterAll(async () => {
    for (const program of [...running].reverse()) await program.stop();
    for (const url of databases) await dropDatabase(databaseUrl, url);
  });

  test.each(Object.entries(TOOLS))(
    'the tool %s, started without arguments, prints its usage or the name of a missing setting',
    async (tool, usage) => {
      const env = {
        DATABASE_URL: NEEDS_DATABASE.has(tool) ? databaseUrl : '',
        KAFKA_BROKERS: '',
      };
      expect((await said(start(tool, ['node', `dist/programs/${tool}.js`], env))).text).toContain(
        usage,
      );
    },
  );

  test(
    'every app and example becomes ready and healthy, and stops on SIGTERM',
    async () => {
      const names = ['sandbox', ...entryPoints().apps.filter((name) => name !== 'sandbox')];
      const ports = new Map<string, number>();
      for (const name of [
        ...names,
        'tls',
        'apiTls',
        'sandboxTls',
        'shop',
        'fulfilment',
        'metrics',
      ]) {
        ports.set(name, await freePort());
      }
      const at = (name: string): number => ports.get(name) ?? 0;
      const own = {
        orchestrator: await database('orchestrator'),
        sandbox: await database('sandbox'),
        fulfilment: await database('fulfilment'),
      };
      const env: Readonly<Record<string, string>> = {
        ...environmentOf({
          ports: { ...Object.fromEntries(ports), api: at('all') },
          databases: own,
          brokers,
          tls: image.tls,
          secrets: {
            secretsKey: `image:${randomBytes(32).toString('base64')}`,
            sandboxSecretsKey: `image:${randomBytes(32).toString('base64')}`,
            sandboxTestKey: `stest_${randomText(24)}`,
            sandboxLiveKey: `sprod_${randomText(24)}`,
            partnerTestKey: `spart_test_${randomText(24)}`,
            partnerLiveKey: `spart_live_${randomText(24)}`,
          },
        }),
        TOPIC_PREFIX: `image_${randomBytes(6).toString('hex')}.`,
        // Disables authentication, because the test's broker does not support it, unlike the broker
        // of docker-compose.yml.
        KAFKA_SASL_MECHANISM: '',
        KAFKA_SASL_USERNAME: '',
        KAFKA_SASL_PASSWORD: '',
      };
      for (const [target, variable] of [
        ['orchestrator', 'DATABASE_URL'],
        ['sandbox', 'SANDBOX_DATABASE_URL'],
      ] as const) {
        const asOwner = { [variable]: roleUrl(own[target], DATABASE_ROLES[target].owner) };
        const { code, text } = await said(
          start('migrate', ['node', 'dist/programs/migrate.js', target], asOwner),
        );
        expect({ code, text }).toEqual({
          code: 0,
          text: expect.stringContaining('migration(s) run'),
        });
      }
      const pool = specPool(own.orchestrator, 1);
      const key = await new ApiKeyStore(pool).create('image', ['orders:read']);
      await pool.end();

      const healthOf = async (place: number | string) =>
        said(start('health', ['node', 'dist/programs/health.js', String(place)]));
      expect(await healthOf(at('sandbox'))).toMatchObject({ code: 1 });

      /** The ports that `all` and the api use instead of those in `env`. */
      const portsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        all: { WORKER_PORT: String(at('metrics')) },
        api: { API_PORT: String(at('api')), API_TLS_PORT: String(at('tls')) },
      };
      const launched = async (name: string, more = {}) => {
        const main = `dist/programs/${name}.js`;
        const command = ['node', '--enable-source-maps', ...heapArgs(name), main];
        const app = start(
          name,
          command,
          environmentFor(name, { ...env, ...portsOf[name], ...more }),
        );
        await waitReady(app, () => isReady(at(name)), { timeoutMs: READY_WITHIN_MS });
        // Several workers of docker-compose.yml share one network, so their health check finds the
        // port by the process.
        const place = name === 'worker' ? `process:${app.pid}` : at(name);
        expect(await healthOf(place)).toEqual({ code: 0, text: '200' });
        return app;
      };
      const apps = [await launched('sandbox')];
      apps.push(...(await Promise.all(names.slice(1).map((name) => launched(name)))));
      expect(entryPoints().examples).toEqual(['fulfilment']);
      apps.push(
        await launched('fulfilment', {
          FULFILMENT_DATABASE_URL: own.fulfilment,
          FULFILMENT_PORT: String(at('fulfilment')),
          ORCHESTRATOR_URL: `http://127.0.0.1:${at('all')}`,
          ORCHESTRATOR_API_KEY: key,
        }),
      );
      const ends = await Promise.all(
        apps.reverse().map(async (app) => {
          await app.stop();
          const { code, signal } = await app.exited;
          return { name: app.name, code, signal };
        }),
      );
      expect(ends).toEqual(ends.map(({ name }) => ({ name, code: 0, signal: null })));
    },
    INSTALLED_WITHIN_MS,
  );
});
