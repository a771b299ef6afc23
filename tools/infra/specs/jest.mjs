import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../paths.mjs';

/** The arguments of Node that run Jest on sources that Node loads itself. */
export const JEST = [
  '--import',
  pathToFileURL(join(import.meta.dirname, 'register.mjs')).href,
  join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
];
