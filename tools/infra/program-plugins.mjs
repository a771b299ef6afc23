/** How the bundler changes modules, so that a bundled program behaves like its modules. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { ROOT } from './paths.mjs';

const DIST = join(ROOT, 'dist');

/**
 * Reads a module with its source map, so that stack traces show the lines of the TypeScript
 * sources. Modules of npm packages get an empty source map, because the maps of all packages would
 * be ten times as large as ours.
 */
export const SOURCE_MAPS = {
  name: 'source maps',
  load: {
    filter: { id: /\.m?c?js$/ },
    handler: (id) => ({
      code: readFileSync(id, 'utf8'),
      map:
        id.startsWith(DIST) && existsSync(`${id}.map`)
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
export const ownPlace = (chunks) => ({
  name: 'own place',
  transform: {
    filter: { code: /import\.meta\.(?:url|dirname)|\b__dirname\b/ },
    handler: (code, id) => {
      const pathOf = (file) =>
        `${BUILT_IN('path')}.join(__dirname, ${JSON.stringify(relative(chunks, file))})`;
      return code.replaceAll(/import\.meta\.(?:url|dirname)|\b__dirname\b/g, (found) =>
        found === 'import.meta.url'
          ? `${BUILT_IN('url')}.pathToFileURL(${pathOf(id)}).href`
          : pathOf(dirname(id)),
      );
    },
  },
});

/**
 * Bundles the validators that Nest loads by name at run time. Otherwise api and admin app would
 * load a second copy of them, which took a tenth of their start time.
 */
export const VALIDATORS = {
  name: 'validators',
  transform: {
    filter: { id: /\/@nestjs\/mapped-types\/.*\.js$/ },
    handler: (code) => {
      const bundled = code.replace(
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
      );
      if (bundled === code && code.includes('createRequire(')) {
        throw new Error(
          '@nestjs/mapped-types requires the validators in another way: change VALIDATORS',
        );
      }
      return bundled;
    },
  },
};

/** The exit code of Node if a program awaits something that never happens. */
const NEVER_ENDED = 13;

const IMPORT = /^import [^;]*;\n/gm;

/**
 * Moves the statements of a program into an async function, because CommonJS has no `await` outside
 * functions. A module that exports something is not a program and stays unchanged.
 */
export const IN_FUNCTION = {
  name: 'in function',
  transform: {
    filter: { id: /\/dist\/(?:(?:apps|examples)\/\w+\/main|tools\/[\w-]+)\.js$/ },
    handler: (code) => {
      if (/^export (?!\{\})/m.test(code)) return code;
      const statements = code.replaceAll(IMPORT, '').replace('export {};', '');
      return `${code.match(IMPORT)?.join('') ?? ''}(async () => {
process.exitCode = ${NEVER_ENDED};
${statements}
if (process.exitCode === ${NEVER_ENDED}) process.exitCode = undefined;
})();`;
    },
  },
};

/**
 * Packages that Nest requires only if they are installed; each is for a feature that no program
 * uses.
 */
const OPTIONAL = new Set([
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/microservices/microservices-module.js',
  '@nestjs/platform-express',
  '@nestjs/websockets/socket-module.js',
]);

/**
 * Ends the build if a program would require a package at run time that is not in the image. The
 * bundler only warns about it.
 */
export const failOnMissingPackage = (_level, { code, exporter, message }) => {
  if (code === 'UNRESOLVED_IMPORT' && !OPTIONAL.has(exporter)) throw new Error(message);
};

/** A segment of a source map with a column only. */
const UNMAPPED = 'A';

/**
 * The source map, with each group of lines without mappings (those of packages) explicitly marked as
 * unmapped. Otherwise Node would show the position of our last line before them. Only the first line
 * of a group is marked, because Node keeps an array for each mapping, once it has shown a stack
 * trace.
 * @param {string} text of the source map @returns {string}
 */
export const withoutPackages = (text) => {
  const map = JSON.parse(text);
  const lines = map.mappings.split(';');
  const marked = lines.map((line, index) =>
    line === '' && lines[index - 1] !== '' ? UNMAPPED : line,
  );
  return JSON.stringify({ ...map, mappings: marked.join(';') });
};

/**
 * The code with each character above U+00FF written as an escape. One such character makes V8 store
 * the whole file with two bytes per character, in memory and for as long as the program runs.
 * Columns of the source map after an escape are then wrong, lines are not.
 * @param {string} code @returns {string}
 */
export const withOneByteCharacters = (code) => {
  if (/String\.raw`[^`]*[\u0100-\uFFFF]/.test(code)) {
    throw new Error('a String.raw text contains a character above U+00FF: use a plain text');
  }
  return code.replaceAll(/(\\*)([\u0100-\uFFFF])/g, (_, slashes, character) => {
    const unit = character.charCodeAt(0).toString(16).padStart(4, '0');
    // The last of an odd number of backslashes escapes the character. One is removed, because it
    // would otherwise escape the backslash of `\u`.
    return `${slashes.slice(slashes.length % 2)}\\u${unit}`;
  });
};
