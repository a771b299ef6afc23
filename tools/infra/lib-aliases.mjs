import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './paths.mjs';

const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/**
 * The path of each lib's index by the name under which the lib is imported: `#log` is
 * `libs/runtime/log/index.ts`. package.json contains the paths of the built code.
 * @type {ReadonlyMap<string, string>}
 */
export const LIB_ALIASES = new Map(
  Object.entries(imports).map(([alias, built]) => [
    alias,
    built.replace('./dist/', '').replace(/\.js$/, '.ts'),
  ]),
);
