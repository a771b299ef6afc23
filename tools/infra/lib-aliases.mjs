import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './paths.mjs';

const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/**
 * The path of each lib's source index, by the name under which code imports the lib: `#log` is
 * `libs/runtime/log/index.ts`. It is derived from package.json, which contains the paths of
 * compiled code.
 * @type {ReadonlyMap<string, string>}
 */
export const LIB_ALIASES = new Map(
  Object.entries(imports).map(([alias, built]) => [
    alias,
    built.replace('./dist/', '').replace(/\.js$/, '.ts'),
  ]),
);
