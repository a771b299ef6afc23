/**
 * Bundles every program in `dist` with its packages into one file, for specs. Specs start more than
 * a hundred processes, and finding and loading 1,200 modules took two thirds of each start.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { withLock } from './lock.mjs';
import { ROOT } from './paths.mjs';
import { step } from './say.mjs';

const DIST = join(ROOT, 'dist');
const BUNDLES = join(DIST, 'bundles');
const BUILT = join(DIST, '.built');
/** Contains the time of the build from which the bundles were made. */
const STAMP = join(BUNDLES, '.built');

/** Packages that are not bundled, because they load their own files by name. */
const LEFT_OUT = /^(?:i18n-iso-countries|@node-rs\/argon2)/;

/** @param {string} folder of programs in folders of their own */
const programsIn = (folder) =>
  readdirSync(join(DIST, folder))
    .map((name) => `${folder}/${name}/main`)
    .filter((program) => existsSync(join(DIST, `${program}.js`)));

const programs = () => [
  ...programsIn('apps'),
  ...programsIn('examples'),
  // This module is imported before an app and changes a module of the app. It is bundled together
  // with the app, because a separate bundle would contain, and change, its own copy of that module.
  'tools/chaos/in-apps',
  ...readdirSync(join(DIST, 'tools'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `tools/${name.slice(0, -'.js'.length)}`),
];

/**
 * In a bundled module, replaces the path of the bundle by the path of the module's source, so that
 * the module can still read files beside its source.
 */
const OWN_PLACE = {
  name: 'own place',
  transform: {
    filter: { code: /import\.meta\.|__dirname/ },
    handler: (code, id) => {
      const folder = JSON.stringify(dirname(id));
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll(/import\.meta\.dirname|\b__dirname\b/g, folder);
    },
  },
};

/**
 * Bundles the packages that this module of Nest requires by name at run time: otherwise the api and
 * the admin app load a second copy of them, which took a tenth of their start.
 */
const VALIDATORS = {
  name: 'validators',
  transform: {
    filter: { id: /\/@nestjs\/mapped-types\/.*\.js$/ },
    handler: (code) =>
      code.replace(
        /^(?:const|var) require = createRequire\([^;]*;$/m,
        `import * as classValidator from 'class-validator';
import * as classTransformer from 'class-transformer';
import * as classTransformerStorage from 'class-transformer/cjs/storage';
const BUNDLED = {
  'class-validator': classValidator,
  'class-transformer': classTransformer,
  'class-transformer/cjs/storage': classTransformerStorage,
};
const require = (name) => BUNDLED[name];`,
      ),
  },
};

const IMPORT = /^import [^;]*;\n/gm;

/**
 * Moves the statements of a program into an async function, because CommonJS has no `await` outside
 * functions. A module that exports something is not a program and stays unchanged.
 */
const IN_FUNCTION = {
  name: 'in function',
  transform: {
    filter: { id: /\/dist\/(?:(?:apps|examples)\/\w+\/main|tools\/[\w-]+)\.js$/ },
    handler: (code) => {
      if (/^export (?!\{\})/m.test(code)) return code;
      const statements = code.replaceAll(IMPORT, '').replace('export {};', '');
      return `${code.match(IMPORT)?.join('') ?? ''}(async () => {\n${statements}\n})();`;
    },
  },
};
/**
 * The bundles are CommonJS, because Node can store compiled code only of CommonJS. Beside each
 * bundle is a file that starts the program with its stored compiled code.
 */
const bundle = async () => {
  rmSync(BUNDLES, { recursive: true, force: true });
  const { build } = await import('rolldown');
  const { output } = await build({
    input: Object.fromEntries(programs().map((name) => [name, join(DIST, `${name}.js`)])),
    platform: 'node',
    external: LEFT_OUT,
    plugins: [OWN_PLACE, IN_FUNCTION, VALIDATORS],
    // Hides the bundler's warnings that optional packages of Nest are not installed.
    logLevel: 'silent',
    output: {
      dir: BUNDLES,
      format: 'cjs',
      keepNames: true,
      // Code that Node reads from its cache cannot call `import`.
      dynamicImportInCjs: false,
      entryFileNames: '[name]-[hash].program.cjs',
      chunkFileNames: '[name]-[hash].cjs',
    },
  });
  const cache = JSON.stringify(join(import.meta.dirname, 'code-cache.cjs'));
  for (const { isEntry, name, fileName } of output) {
    if (!isEntry) continue;
    const program = JSON.stringify(`./${basename(fileName)}`);
    writeFileSync(join(BUNDLES, `${name}.cjs`), `require(${cache});\nrequire(${program});\n`);
  }
  writeFileSync(STAMP, builtAt());
};

const builtAt = () => String(statSync(BUILT).mtimeMs);

const isFresh = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === builtAt();

/** Builds the bundles if they are older than the build. */
export const ensureBundles = () =>
  withLock('bundles', async () => {
    if (!isFresh()) await step('Programs bundled for specs', bundle);
  });

/**
 * The file that starts a program: the program's bundle in specs, otherwise the compiled file.
 * @param {string} program below `dist`, without the ending: `apps/api/main`
 */
export const programFile = (program) => {
  const bundled = join(BUNDLES, `${program}.cjs`);
  return process.env.JEST_WORKER_ID !== undefined && existsSync(bundled)
    ? bundled
    : join(DIST, `${program}.js`);
};
