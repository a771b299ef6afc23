import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../paths.mjs';
import { SHORT_RUN } from '../settings.mjs';

/** The arguments with which Node can load TypeScript sources. */
export const SOURCES = ['--import', pathToFileURL(join(import.meta.dirname, 'register.mjs')).href];

/**
 * The arguments with which Node runs Jest, including those with which Node loads the TypeScript
 * sources. More memory for new objects (in MB) reduces garbage collection.
 */
export const JEST = [
  ...SHORT_RUN,
  '--max-semi-space-size=64',
  ...SOURCES,
  join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
];
