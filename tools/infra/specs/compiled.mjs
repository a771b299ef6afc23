import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { transformSync } from '@swc/core';

import { stateDir } from '../paths.mjs';

/**
 * The options of the compiler SWC, equal to those of the build. Decorators emit types, because Nest
 * injects dependencies by type.
 */
const SWC = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
};

const kept = stateDir('specs');

const placeOf = (file, text) =>
  join(kept, createHash('sha256').update(`${file}\0${text}`).digest('hex'));

/** Writes a file atomically, because other processes read it at the same time. */
const write = (file, text) => {
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
};

/**
 * Returns the JavaScript of a source file. Each version of a file is compiled only once for all
 * specs and runs. @param {string} file
 */
export const compiled = (file) => {
  const text = readFileSync(file, 'utf8');
  const place = placeOf(file, text);
  if (!existsSync(`${place}.js`)) {
    const { code, map } = transformSync(text, { ...SWC, filename: file });
    mkdirSync(kept, { recursive: true });
    write(`${place}.map`, map ?? '{}');
    write(`${place}.js`, code);
  }
  return readFileSync(`${place}.js`, 'utf8');
};

/** The path of a compiled file's source map; empty when there is none. @param {string} file */
export const mapOf = (file) => {
  if (!file.endsWith('.ts') || file.includes('/node_modules/') || !existsSync(file)) return '';
  const map = `${placeOf(file, readFileSync(file, 'utf8'))}.map`;
  return existsSync(map) ? map : '';
};
