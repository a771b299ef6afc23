import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../paths.mjs';

/** The arguments of Node by which it loads the sources itself. */
export const SOURCES = ['--import', pathToFileURL(join(import.meta.dirname, 'register.mjs')).href];

/** The arguments of Node that run Jest on sources that Node loads itself. */
export const JEST = [...SOURCES, join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js')];
