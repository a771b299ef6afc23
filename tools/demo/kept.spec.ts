import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '#testing';
import { ROOT } from '../infra/paths.mjs';
import { scratchDir } from '../infra/processes.mjs';

/** A copy of the checkout, so that the spec does not change `.state` of this checkout. */
const checkout = scratchDir(mkdtempSync(join(tmpdir(), 'checkout-')));
const state = join(checkout, '.state');

const PARTS = {
  secrets: 'demo/secrets.json',
  kafka: 'demo/kafka/data/meta.properties',
  postgres: 'postgres/demo/data/PG_VERSION',
} as const;
type PartName = keyof typeof PARTS;

beforeAll(() => {
  // Lets the user `postgres`, as whom the server runs, enter the copied checkout.
  chmodSync(checkout, 0o755);
  cpSync(join(ROOT, 'tools'), join(checkout, 'tools'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(ROOT, file), join(checkout, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));
beforeEach(() => rmSync(state, { recursive: true, force: true }));

const keep = (...paths: readonly string[]): void => {
  for (const path of paths) {
    mkdirSync(dirname(join(state, path)), { recursive: true });
    writeFileSync(join(state, path), '18');
  }
};

const keptParts = (): readonly string[] =>
  Object.values(PARTS).filter((path) => existsSync(join(state, path)));

/** Runs a script in the copied checkout; returns the error message with which the script ends. */
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  new Promise((resolve) => {
    const { DATABASE_URL: _database, KAFKA_BROKERS: _brokers, ...rest } = process.env;
    execFile(
      process.execPath,
      args,
      { cwd: checkout, env: { ...rest, ...env } },
      (_error, _stdout, stderr) => resolve(stderr.trim()),
    );
  });

const inKept = (script: string): Promise<string> => {
  const kept = pathToFileURL(join(checkout, 'tools', 'demo', 'kept.mjs')).href;
  return run(['--input-type=module', '-e', `import * as kept from '${kept}';\n${script}`]);
};

test.each<[string, readonly PartName[], string]>([
  ['no data', [], ''],
  ['all data', ['secrets', 'kafka', 'postgres'], ''],
  ['only secrets', ['secrets'], ''],
  [
    'no secrets',
    ['kafka', 'postgres'],
    'An earlier run has left data of PostgreSQL and data of Kafka, which cannot be used without the secrets of that run:',
  ],
  [
    'no data of Kafka',
    ['secrets', 'postgres'],
    'An earlier run has left data of PostgreSQL, which cannot be used without data of Kafka:',
  ],
  [
    'no data of PostgreSQL',
    ['secrets', 'kafka'],
    'An earlier run has left data of Kafka, which cannot be used without data of PostgreSQL:',
  ],
  [
    "only data outside the demo's folder",
    ['postgres'],
    'An earlier run has left data of PostgreSQL, which cannot be used without the secrets of that run and data of Kafka:',
  ],
])('the demo detects whether its stored data is complete: %s', async (_, parts, complaint) => {
  keep(...parts.map((part) => PARTS[part]));
  const said = await inKept('kept.checkDemoIsWhole();');
  if (complaint === '') expect(said).toBe('');
  else expect(said).toContain(`Failure: ${complaint}`);
});

test('a reset deletes all data of the demo, and no other data', async () => {
  keep(...Object.values(PARTS), 'demo/api-key.txt', 'postgres/sandbox/data/PG_VERSION');
  expect(await inKept('kept.resetDemo(); kept.checkDemoIsWhole();')).toBe('');
  expect(keptParts()).toEqual([]);
  expect(existsSync(join(state, 'demo'))).toBe(false);
  expect(existsSync(join(state, 'postgres/sandbox/data/PG_VERSION'))).toBe(true);
});

test('the demo and the sandbox report incomplete stored data in one sentence with the command to run, and do not delete the data', async () => {
  keep(PARTS.postgres, 'postgres/sandbox/data/PG_VERSION');
  const PORT_BASE = String(await freePort());
  expect(await run(['tools/demo.mjs'], { PORT_BASE, KAFKA_BROKERS: '127.0.0.1:9' })).toBe(
    'An earlier run has left data of PostgreSQL, which cannot be used without the secrets of that run: ' +
      'delete all data and start again with `npm run demo -- --reset`.',
  );
  expect(await run(['tools/sandbox.mjs'], { PORT_BASE })).toBe(
    'An earlier run has left data of PostgreSQL, which cannot be used without the password of that run: ' +
      'delete all data and start again with `npm run sandbox -- --reset`.',
  );
  expect(keptParts()).toEqual([PARTS.postgres]);
});
