import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './paths.mjs';

const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/**
 * The index of each lib by the name that it is imported by, below the root: `#log` is
 * `libs/runtime/log/index.ts`. package.json says it for the built code.
 * @type {ReadonlyMap<string, string>}
 */
export const LIB_ALIASES = new Map(
  Object.entries(imports).map(([alias, built]) => [
    alias,
    built.replace('./dist/', '').replace(/\.js$/, '.ts'),
  ]),
);
