import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { memoryFolder, postgresFolder, postgresPrograms, postgresUser } from './postgres-user.mjs';
import { scratchDir, sleep, supervise, tailOf, waitReady } from './processes.mjs';
import { INITDB_FLAGS, POSTGRES_SETTINGS, POSTGRES_VERSION } from './settings.mjs';

/** @typedef {{ uid?: number, gid?: number }} User */

/** @param {string} home @param {User} user @param {string} dataDir @param {string} password */
const initialise = async (home, user, dataDir, password) => {
  const passwordFile = join(tmpdir(), `pg-${randomUUID()}`);
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user.uid !== undefined) chownSync(passwordFile, user.uid, user.gid);
  // The data folder is created under another name and then renamed, so that an interrupted initdb
  // leaves no incomplete database.
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  try {
    const flags = [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--no-instructions',
      ...INITDB_FLAGS,
    ];
    const environment = { ...process.env, LC_ALL: 'C' };
    const options = { ...user, cwd: '/', env: environment };
    const { code, output } = await run(join(home, 'bin', 'initdb'), flags, options);
    if (code !== 0) {
      throw new Failure(
        'PostgreSQL could not create its data folder: see its output above.',
        lastLines(output),
      );
    }
    renameSync(unfinished, dataDir);
  } finally {
    rmSync(passwordFile, { force: true });
  }
};

/** @param {string} dataDir */
const checkVersion = (dataDir) => {
  const version = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim();
  if (version !== POSTGRES_VERSION) {
    throw new Failure(
      `${dataDir} contains data of PostgreSQL ${version}, but this server is PostgreSQL ${POSTGRES_VERSION}: ` +
        'move the folder elsewhere, then try again.',
    );
  }
};

/**
 * The SQLSTATE of a refused connection while the server starts or recovers, or because it is a
 * standby.
 */
const CANNOT_CONNECT_NOW = '57P03';
/** SQLSTATEs for a wrong password, or a user that does not exist. */
const REFUSED = new Set(['28P01', '28000']);
/**
 * The time limit of a connection attempt: long, because a busy machine is slow. A closed port
 * refuses a connection immediately.
 */
const SESSION_WITHIN_MS = 10_000;

/** @type {typeof import('./postgres.mjs').stateOfServer} */
export const stateOfServer = async (url) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: SESSION_WITHIN_MS,
  });
  // Ignored here, because the awaited call reports the same error.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return 'ready';
  } catch (error) {
    if (error.code === CANNOT_CONNECT_NOW) return 'starting';
    return REFUSED.has(error.code) ? 'refused' : 'silent';
  } finally {
    await client.end().catch(() => {});
  }
};

/** The maximum time in milliseconds without a new log line or response, while a server starts. */
const SILENT_MS = 30_000;

/**
 * Waits until the server is ready, as long as it makes progress, because a recovery may take long.
 */
const waitForServer = async (server, { url, dataDir, logFile, silentMs }) => {
  let answers = 0;
  const isReady = async () => {
    const state = await stateOfServer(url);
    if (state === 'refused') {
      throw new Failure(
        `PostgreSQL in ${dataDir} has a password other than the stored one: ` +
          'delete the data and start again with `--reset`.',
      );
    }
    if (state === 'starting') answers += 1;
    return state === 'ready';
  };
  await waitReady(server, isReady, {
    timeoutMs: silentMs,
    everyMs: 50,
    progress: () => `${answers} ${statSync(logFile, { throwIfNoEntry: false })?.size}`,
  });
};

/**
 * Starts the server on a data folder and waits until the server responds. A failed start is
 * retried, because the server of a killed run may still be shutting down in the folder.
 */
const launch = async (plan) => {
  const { home, user, dataDir, port, logFile, throwaway, settings } = plan;
  const flags = Object.entries({
    ...POSTGRES_SETTINGS,
    ...settings,
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const deadlineMs = Date.now() + 20_000;
  for (;;) {
    const server = supervise(join(home, 'bin', 'postgres'), ['-D', dataDir, ...flags], {
      name: 'PostgreSQL',
      logFile,
      ...user,
      cwd: '/',
      env: { ...process.env, LC_ALL: 'C' },
      stopSignal: throwaway ? 'SIGQUIT' : 'SIGINT',
    });
    try {
      await waitForServer(server, plan);
      return server;
    } catch (error) {
      await server.stop();
      const log = tailOf(logFile, 6);
      const isStillThere = /lock file "postmaster\.pid"|pre-existing shared memory/.test(log);
      if (!isStillThere || Date.now() > deadlineMs) throw error;
      await sleep(500);
    }
  }
};

/**
 * @param {{ folder: string, port: number, password: string, logFile: string, throwaway?: boolean,
 * inMemory?: boolean, settings?: Readonly<Record<string, string>>, silentMs?: number, }} options
 * `folder`: a name; a throwaway one is deleted at the end, `inMemory` keeps the data in memory
 * where there is room. `settings`: in addition to the usual settings
 * @returns {Promise<{ url: string, restart: () => Promise<void>, kill9: () => Promise<void>, stop:
 * () => Promise<void> }>} `url` has no database name; append one
 */
export const startPostgres = async ({
  folder,
  port,
  password,
  logFile,
  throwaway = false,
  inMemory = false,
  settings = {},
  silentMs = SILENT_MS,
}) => {
  const user = postgresUser();
  const home = postgresPrograms(user);
  for (const name of ['initdb', 'postgres']) {
    const program = join(home, 'bin', name);
    if (process.getuid?.() === 0 || process.platform !== 'win32') chmodSync(program, 0o755);
  }
  const base = inMemory ? memoryFolder(user, folder) : postgresFolder(user, folder);
  if (throwaway) scratchDir(base);
  const dataDir = join(base, 'data');
  if (!existsSync(dataDir)) await initialise(home, user, dataDir, password);
  checkVersion(dataDir);
  const root = `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  const url = `${root}/postgres`;
  const plan = { home, user, dataDir, port, url, logFile, throwaway, settings, silentMs };
  let server = await launch(plan);
  return {
    url: root,
    get pid() {
      return server.pid;
    },
    restart: async () => {
      await server.stop();
      server = await launch(plan);
    },
    kill9: () => server.kill9(),
    stop: () => server.stop(),
  };
};
