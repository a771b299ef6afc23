import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { startApp } from '../infra/apps.mjs';
import { ensureBuild } from '../infra/build.mjs';
import { runCompiled } from '../infra/compiled.mjs';
import { createMissing } from '../infra/databases.mjs';
import { Failure } from '../infra/failure.mjs';
import { ensurePackages } from '../infra/install.mjs';
import { checkKeptData } from '../infra/kept-data.mjs';
import { claim, holderOf } from '../infra/lock.mjs';
import { giveToOwner, migrateAsOwner } from '../infra/owned-database.mjs';
import { ROOT, STATE, stateDir } from '../infra/paths.mjs';
import { startPostgres } from '../infra/postgres.mjs';
import { postgresData } from '../infra/postgres-user.mjs';
import { checkDisk, checkNode, checkPorts } from '../infra/preflight.mjs';
import { freePort } from '../infra/processes.mjs';
import { DATABASE_ROLES, roleUrl } from '../infra/roles.mjs';
import { bold, cyan, dim, say, step } from '../infra/say.mjs';
import { POSTGRES_VERSION } from '../infra/settings.mjs';

/** How long to wait for the processes of a killed run to end. */
const GRACE_MS = 12_000;

/** @returns {'inherited' | 'fresh'} */
const takeLock = () => {
  const lock = claim('sandbox');
  if (lock !== 'taken') return lock;
  throw new Failure(
    `A sandbox of this checkout is running already, as process ${holderOf('sandbox')}: ` +
      'end that sandbox first, with Ctrl-C in its terminal.',
  );
};

/** The folder below `.state` with the sandbox's data. */
const HOME = 'sandbox';
const PASSWORD = join(STATE, HOME, 'postgres-password');

/** The password of the embedded PostgreSQL, generated once and stored with its data. */
const postgresPassword = () => {
  stateDir(HOME);
  if (!existsSync(PASSWORD)) {
    writeFileSync(PASSWORD, randomBytes(18).toString('hex'), { mode: 0o600 });
  }
  return readFileSync(PASSWORD, 'utf8');
};

/** @param {boolean} reset */
const prepareData = (reset) => {
  const data = postgresData(HOME);
  if (reset) {
    for (const folder of [dirname(data), dirname(PASSWORD)]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  checkKeptData({
    data: [{ name: 'data of PostgreSQL', file: data }],
    secrets: { name: 'the password of that run', file: PASSWORD },
    reset: 'npm run sandbox -- --reset',
  });
};

/** @returns {Promise<string>} the url of the sandbox's database */
const embeddedDatabase = async () => {
  const { url } = await startPostgres({
    folder: HOME,
    port: await freePort(),
    password: postgresPassword(),
    logFile: join(stateDir('logs'), 'sandbox-postgres.log'),
  });
  await createMissing(`${url}/postgres`, ['sandbox']);
  return `${url}/sandbox`;
};

/**
 * Migrates an embedded database as its owner, and a user's own database as the user in its URL.
 * @param {string | null} embedded the url for the embedded server's administrator
 */
const migrate = async (embedded) => {
  if (embedded === null) return runCompiled('migrate', ['sandbox'], {});
  await giveToOwner('sandbox', embedded);
  return migrateAsOwner('sandbox', embedded);
};

/** Reads the sandbox's settings from the environment, with the code of the sandbox. */
const readConfig = async () => {
  const file = join(ROOT, 'dist', 'apps', 'sandbox', 'settings', 'sandbox-config.js');
  const { sandboxConfigFromEnv } = await import(pathToFileURL(file).href);
  try {
    return sandboxConfigFromEnv();
  } catch (error) {
    if (error instanceof Error && error.name === 'ConfigError') throw new Failure(error.message);
    throw error;
  }
};

const sayAddresses = ({ publicUrl, testKey, liveKey, partners, forward }) => {
  const line = (name, value) => say(`  ${name.padEnd(16)} ${value}`);
  say(`\n${bold('The provider sandbox is running')}\n`);
  line('Payments', `${cyan(`${publicUrl}/v2`)}  ${dim('reference: /docs')}`);
  line('  test key', testKey);
  line('  live key', liveKey);
  line('Onboarding', `${cyan(`${publicUrl}/api/partners`)}  ${dim('reference: /docs/onboarding')}`);
  for (const partner of partners) {
    line('  test key', partner.testKey);
    line('  live key', partner.liveKey);
  }
  line('User Area', cyan(`${publicUrl}/user-area`));
  line('Clock', `${cyan(`${publicUrl}/sandbox/clock`)}  ${dim('also in the User Area')}`);
  if (forward !== null) {
    line('Forwards to', `${cyan(forward.url)}  ${dim('webhooks of every account')}`);
    line('  signed with', forward.secret);
  }
  line('Logs', '.state/logs/sandbox.log');
  say(
    `\n${dim('Ctrl-C ends it. `npm run sandbox -- --reset` deletes the data and starts again.')}`,
  );
};

/** @param {{ reset: boolean }} options @returns {Promise<number>} */
export const runSandbox = async ({ reset }) => {
  say(`\n${bold('Provider sandbox')}\n`);
  checkNode();
  checkDisk();
  const { SANDBOX_DATABASE_URL } = process.env;
  if (reset && SANDBOX_DATABASE_URL !== undefined) {
    throw new Failure(
      '--reset deletes data of the embedded database only: delete the data of the database in SANDBOX_DATABASE_URL ' +
        'yourself, or unset it.',
    );
  }
  const lock = takeLock();
  await ensurePackages();
  if (SANDBOX_DATABASE_URL === undefined) prepareData(reset);
  await ensureBuild();
  const embedded =
    SANDBOX_DATABASE_URL === undefined
      ? await step(`PostgreSQL ${POSTGRES_VERSION} started`, embeddedDatabase, {
          doing: 'Starting PostgreSQL',
        })
      : null;
  if (embedded !== null) {
    const { sandbox } = DATABASE_ROLES.sandbox.apps;
    process.env.SANDBOX_DATABASE_URL = roleUrl(embedded, sandbox);
  }
  const config = await readConfig();
  await checkPorts({ sandbox: config.port }, lock === 'inherited' ? GRACE_MS : 0);
  await step('Database migrated', () => migrate(embedded), {
    doing: 'Migrating the database',
  });
  const app = await step(
    'Sandbox started',
    () => startApp({ app: 'sandbox', port: config.port, env: {} }),
    { doing: 'Starting the sandbox' },
  );
  sayAddresses(config);
  await app.exited();
  throw new Failure(`The sandbox ended by itself: see ${app.logFile}.`, app.logTail());
};
