import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lastLines, run } from './commands.mjs';
import { buildConsole, isConsoleFresh } from './console.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { ROOT } from './paths.mjs';
import { bundlePrograms } from './programs.mjs';
import { step } from './say.mjs';

/**
 * A file whose modification time is the start of the last successful build, so that later changes
 * of sources cause a new build.
 */
const STAMP = join(ROOT, 'dist', '.built');
const SOURCES = ['apps', 'libs', 'packages', 'examples', 'migrations', 'tools', 'bench', 'test'];
/** The sources of the console are not compared here, because `console.mjs` builds the console. */
const CONSOLE = join(ROOT, 'apps', 'admin', 'console');
/**
 * Packages that are published. They are built into separate `dist` folders with separate settings.
 */
const PACKAGES = [join(ROOT, 'packages', 'subscriber'), join(ROOT, 'packages', 'client-ts')];
const SETTINGS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

const newestSourceMs = () => {
  let newest = 0;
  const compare = (path) => {
    newest = Math.max(newest, statSync(path).mtimeMs);
  };
  for (const name of SETTINGS) compare(join(ROOT, name));
  for (const top of SOURCES) {
    const entries = readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true });
    // Modification times of folders are compared, too, because the deletion of a file changes only
    // the time of its folder.
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const isBuilt = PACKAGES.some((folder) => path.startsWith(join(folder, 'dist')));
      if (!isBuilt && !path.startsWith(CONSOLE) && !path.endsWith('.spec.ts')) compare(path);
    }
  }
  return newest;
};

const isFresh = () => existsSync(STAMP) && statSync(STAMP).mtimeMs >= newestSourceMs();

/** @param {readonly string[]} args of Node */
const compile = async (args) => {
  const { code, output } = await run(process.execPath, args, { cwd: ROOT });
  if (code !== 0) {
    throw new Failure(
      'The sources do not compile: fix what is shown above.',
      lastLines(output, 30),
    );
  }
};

/**
 * @param {boolean} areTypesChecked whether another program checks the types, which takes half of a
 *   build
 */
const build = async (areTypesChecked) => {
  const startedAt = new Date();
  const tool = (...path) => join(ROOT, 'node_modules', ...path);
  // Packages are built first, because the examples are compiled against their builds.
  for (const folder of PACKAGES)
    await compile([tool('typescript-native', 'bin', 'tsc'), '-p', folder]);
  const config = areTypesChecked ? ['--path', 'tsconfig.emit.json'] : [];
  await compile([tool('@nestjs', 'cli', 'bin', 'nest.js'), 'build', ...config]);
  await bundlePrograms();
  writeFileSync(STAMP, '');
  utimesSync(STAMP, startedAt, startedAt);
};

/**
 * Compiles the sources, bundles the programs and builds the console into `dist`, unless `dist` is
 * up to date. The suite calls this before its specs, so that `dist` never changes while specs run.
 * @param {{ areTypesChecked?: boolean }} [options]
 */
export const ensureBuild = async ({ areTypesChecked = false } = {}) => {
  if (process.env.JEST_WORKER_ID !== undefined) return;
  await withLock('build', async () => {
    const said = { doing: 'Compiling', long: 'half a minute the first time' };
    if (!isFresh()) await step('Compiled', () => build(areTypesChecked), said);
    if (!isConsoleFresh()) {
      await step('Console built', buildConsole, { doing: 'Building the console' });
    }
  });
};
