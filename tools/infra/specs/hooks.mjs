/**
 * Hooks by which Node loads the TypeScript sources that specs import: they resolve `./x.js` to
 * `x.ts` if that file exists, resolve the names of libs, and compile.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { LIB_ALIASES } from '../lib-aliases.mjs';
import { ROOT } from '../paths.mjs';
import { compiled } from './compiled.mjs';

/** The import names of libs and packages, with the paths of their sources. */
const NAMED = new Map([
  ...LIB_ALIASES,
  ['payment-orchestrator-subscriber', 'packages/subscriber/index.ts'],
]);

/**
 * The sources of the console. They import each other without file extensions, because Vite bundles
 * them. Specs load only console code that needs no browser.
 */
const CONSOLE = pathToFileURL(join(ROOT, 'apps/admin/console/src/')).href;

const sourceIn = (folder, specifier) =>
  [`${specifier}.ts`, `${specifier}/index.ts`]
    .map((path) => new URL(path, folder))
    .find((url) => existsSync(url));

const isOurs = (url) => url.startsWith('file:') && !url.includes('/node_modules/');

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) => {
  const { parentURL } = context;
  if (parentURL === undefined || !isOurs(parentURL)) return next(specifier, context);
  const named = NAMED.get(specifier);
  if (named !== undefined) {
    return { url: pathToFileURL(join(ROOT, named)).href, shortCircuit: true };
  }
  if (/^\.{1,2}\/.*\.js$/.test(specifier)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), parentURL);
    if (existsSync(source)) return { url: source.href, shortCircuit: true };
  }
  if (parentURL.startsWith(CONSOLE) && specifier.startsWith('.')) {
    const source = sourceIn(parentURL, specifier);
    if (source !== undefined) return { url: source.href, shortCircuit: true };
  }
  return next(specifier, context);
};

/** @type {import('node:module').LoadHook} */
export const load = (url, context, next) =>
  url.endsWith('.ts') && isOurs(url)
    ? { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true }
    : next(url, context);
