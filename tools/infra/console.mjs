import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { ROOT } from './paths.mjs';

const HOME = join(ROOT, 'apps', 'admin', 'console');
const DOCUMENT = join(ROOT, 'docs', 'generated', 'openapi.admin.json');
/** The generated types of the console's API client. They are not committed. */
const TYPES = join(HOME, 'src', 'api', 'schema.d.ts');
/** The server-side program that renders the first view of the console's overview. */
const FIRST_VIEW = join(ROOT, 'dist', 'apps', 'admin', 'console-first-view');
/** The build writes this file last. Its modification time is compared with the sources. */
const BUILT = join(ROOT, 'dist', 'apps', 'admin', 'console-build', '.built');

const dateOf = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

const newestSourceMs = () => {
  const entries = readdirSync(HOME, { recursive: true, withFileTypes: true });
  // Modification times of folders are compared, too, because the deletion of a file changes only
  // the time of its folder.
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Math.max(dateOf(DOCUMENT), dateOf(join(ROOT, 'package.json')), ...paths.map(dateOf));
};

/** Whether the built console is up to date with the sources. */
export const isConsoleFresh = () => existsSync(TYPES) && dateOf(BUILT) >= newestSourceMs();

const node = async (script, args, complaint) => {
  const main = join(ROOT, 'node_modules', script);
  const { code, output } = await run(process.execPath, [main, ...args], { cwd: ROOT });
  if (code !== 0) throw new Failure(complaint, lastLines(output, 30));
};

/** Generates the types of the API client if the OpenAPI document is newer than the types. */
export const ensureClientTypes = async () => {
  if (dateOf(TYPES) >= dateOf(DOCUMENT)) return;
  mkdirSync(dirname(TYPES), { recursive: true });
  await node(
    'openapi-typescript/bin/cli.js',
    [DOCUMENT, '--output', TYPES],
    'No client types can be generated from openapi.admin.json: fix what is shown above.',
  );
};

/** Builds the console into the folder from which the admin app serves it. */
export const buildConsole = async () => {
  await ensureClientTypes();
  const startedAt = new Date();
  rmSync(FIRST_VIEW, { recursive: true, force: true });
  await node(
    'vite/bin/vite.js',
    ['build', '--logLevel', 'warn', HOME],
    'The console cannot be built: fix what is shown above.',
  );
  await node(
    'vite/bin/vite.js',
    [
      'build',
      '--logLevel',
      'warn',
      '--ssr',
      'src/first-view/render.tsx',
      '--outDir',
      FIRST_VIEW,
      HOME,
    ],
    'The first view of the console cannot be built: fix what is shown above.',
  );
  const { firstViews } = await import(
    `${pathToFileURL(join(FIRST_VIEW, 'render.js')).href}?built=${startedAt.getTime()}`
  );
  writeFileSync(join(dirname(BUILT), 'first-view.json'), JSON.stringify(firstViews));
  writeFileSync(BUILT, '');
  utimesSync(BUILT, startedAt, startedAt);
};

/** Fails when the console does not type-check. */
export const checkConsole = async () => {
  await ensureClientTypes();
  await node(
    'typescript-native/bin/tsc',
    ['-p', HOME],
    'The console does not compile: fix the errors shown above.',
  );
};
