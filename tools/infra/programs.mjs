/**
 * Bundles each program in `dist` with its npm packages: `dist/programs/api.js` starts the api. A
 * program then loads a few files instead of 1,200 modules, so its start takes a quarter of the CPU
 * time, and it needs 30 MB less memory.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { ROOT } from './paths.mjs';

const DIST = join(ROOT, 'dist');
const PROGRAMS = join(DIST, 'programs');
/** The folder with the code of the programs. The file names contain a hash of the code. */
const CHUNKS = 'chunks';
/** The folder with the programs as specs start them, with cached compiled code. */
const CACHED = 'cached';

/** Packages that are not bundled, because they load their own files by name. */
const LEFT_OUT = /^(?:i18n-iso-countries|@node-rs\/argon2)/;

/** @param {string} folder below `dist`, with one subfolder for each program */
const programsIn = (folder) =>
  readdirSync(join(DIST, folder))
    .map((name) => [name, join(DIST, folder, name, 'main.js')])
    .filter(([, main]) => existsSync(main));

const TOOLS = [
  'health',
  'kafka-access',
  'keys',
  'log-rebase',
  'migrate',
  'ops',
  'projections',
  'relay',
  'roles',
];

/** The compiled main module of each program, by the program's name. */
const programs = () =>
  Object.fromEntries([
    ...programsIn('apps'),
    ...programsIn('examples'),
    ...TOOLS.map((name) => [name, join(DIST, 'tools', `${name}.js`)]),
    // This module must be in one bundle with each app, because it changes a module of the app. In a
    // separate bundle it would change only a copy of that module.
    ['chaos-in-apps', join(DIST, 'tools', 'chaos', 'in-apps.js')],
  ]);

/**
 * Reads a module with its source map, so that stack traces show the lines of the TypeScript
 * sources. Modules of npm packages get an empty source map, because the maps of all packages would
 * be ten times as large as ours.
 */
const SOURCE_MAPS = {
  name: 'source maps',
  load: {
    filter: { id: /\.m?c?js$/ },
    handler: (id) => ({
      code: readFileSync(id, 'utf8'),
      map:
        existsSync(`${id}.map`) && id.startsWith(DIST)
          ? JSON.parse(readFileSync(`${id}.map`, 'utf8'))
          : { version: 3, sources: [], names: [], mappings: '' },
    }),
  },
};

const BUILT_IN = (name) => `process.getBuiltinModule('node:${name}')`;

/**
 * Replaces the bundle's path in a bundled module by the path of the module's source, so that the
 * module finds files beside its source. The path is relative to the bundle, because `dist` may be
 * copied to another place.
 */
const OWN_PLACE = {
  name: 'own place',
  transform: {
    filter: { code: /import\.meta\.(?:url|dirname)|\b__dirname\b/ },
    handler: (code, id) => {
      const pathOf = (file) =>
        `${BUILT_IN('path')}.join(__dirname, ${JSON.stringify(relative(join(PROGRAMS, CHUNKS), file))})`;
      return code.replaceAll(/import\.meta\.(?:url|dirname)|\b__dirname\b/g, (found) =>
        found === 'import.meta.url'
          ? `${BUILT_IN('url')}.pathToFileURL(${pathOf(id)}).href`
          : pathOf(dirname(id)),
      );
    },
  },
};

/**
 * Bundles the validators that Nest loads by name at run time. Otherwise api and admin app would
 * load a second copy of them, which took a tenth of their start time.
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
 * Bundles all programs of the build as CommonJS modules, because Node can cache compiled code only
 * of CommonJS.
 */
export const bundlePrograms = async () => {
  rmSync(PROGRAMS, { recursive: true, force: true });
  const { build } = await import('rolldown');
  const { output } = await build({
    input: programs(),
    platform: 'node',
    external: LEFT_OUT,
    plugins: [SOURCE_MAPS, OWN_PLACE, IN_FUNCTION, VALIDATORS],
    // Hides warnings of the bundler about optional packages of Nest that are not installed.
    logLevel: 'silent',
    output: {
      dir: PROGRAMS,
      format: 'cjs',
      keepNames: true,
      comments: { legal: true, jsdoc: false, annotation: false },
      sourcemap: true,
      sourcemapExcludeSources: true,
      // Replaces `import()` by `require`, because cached code cannot call `import()`.
      dynamicImportInCjs: false,
      entryFileNames: `${CHUNKS}/[name]-[hash].js`,
      chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
    },
  });
  mkdirSync(join(PROGRAMS, CACHED));
  const write = (file, code) => writeFileSync(join(PROGRAMS, file), code);
  write('package.json', '{ "type": "commonjs" }\n');
  const cache = JSON.stringify(join(import.meta.dirname, 'code-cache.cjs'));
  for (const { isEntry, name, fileName } of output) {
    if (!isEntry) continue;
    write(`${name}.js`, `require('./${fileName}');\n`);
    write(join(CACHED, `${name}.js`), `require(${cache});\nrequire('../${fileName}');\n`);
  }
};

/**
 * The file that starts a program. In specs, which start more than a hundred programs, this file
 * reads the program's compiled code from a cache.
 * @param {string} name of the app, example or tool: `api`, `fulfilment`, `migrate`
 */
export const programFile = (name) =>
  join(PROGRAMS, process.env.JEST_WORKER_ID === undefined ? '.' : CACHED, `${name}.js`);
