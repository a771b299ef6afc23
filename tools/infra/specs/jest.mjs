import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../paths.mjs';

/** The arguments with which Node can load TypeScript sources. */
export const SOURCES = ['--import', pathToFileURL(join(import.meta.dirname, 'register.mjs')).href];

/** The arguments with which Node runs Jest, with sources that Node loads and not Jest. */
export const JEST = [...SOURCES, join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js')];
