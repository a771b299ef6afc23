import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lastLines, run } from './commands.mjs';
import { buildConsole, isConsoleFresh } from './console.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { ROOT } from './paths.mjs';
import { step } from './say.mjs';

/** Its date is when the sources of the last good build were read. */
const STAMP = join(ROOT, 'dist', '.built');
const SOURCES = ['apps', 'libs', 'migrations', 'tools', 'bench', 'test'];
/** Built by other means. */
const CONSOLE = join(ROOT, 'apps', 'admin', 'console');
const SETTINGS = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];

const newestSourceMs = () => {
  let newest = 0;
  const look = (path) => {
    newest = Math.max(newest, statSync(path).mtimeMs);
  };
  for (const name of SETTINGS) look(join(ROOT, name));
  for (const top of SOURCES) {
    const entries = readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true });
    // Folders count too: their date tells of a deleted file.
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (!path.startsWith(CONSOLE) && !path.endsWith('.spec.ts')) look(path);
    }
  }
  return newest;
};

const isFresh = () => existsSync(STAMP) && statSync(STAMP).mtimeMs >= newestSourceMs();

const build = async () => {
  const startedAt = new Date();
  const nest = join(ROOT, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  const { code, output } = await run(process.execPath, [nest, 'build'], { cwd: ROOT });
  if (code !== 0) {
    throw new Failure('The sources do not compile: mend what is shown above.', lastLines(output, 30));
  }
  writeFileSync(STAMP, '');
  utimesSync(STAMP, startedAt, startedAt);
};

/** Compiles the sources, and builds the console, to `dist` where they are newer than it. */
export const ensureBuild = () =>
  withLock('build', async () => {
    const said = { doing: 'Compiling', long: 'half a minute the first time' };
    if (!isFresh()) await step('Compiled', build, said);
    if (!isConsoleFresh()) {
      await step('Console built', buildConsole, { doing: 'Building the console' });
    }
  });
