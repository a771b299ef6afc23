import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Searches the parent folders for package-lock.json. The path is not fixed, because this module may
 * also run as a copy in `dist`.
 */
const topOf = (folder) => {
  if (existsSync(join(folder, 'package-lock.json'))) return folder;
  if (dirname(folder) === folder)
    throw new Error(
      'package-lock.json was not found in any parent folder; run the tool inside the checkout',
    );
  return topOf(dirname(folder));
};

/** The root folder of the checkout. */
export const ROOT = topOf(dirname(fileURLToPath(import.meta.url)));

/**
 * The folder, ignored by Git, in which all runs store data, jars, logs, certificate and secrets.
 */
export const STATE = join(ROOT, '.state');

/** The path of a folder below `.state`, created when missing. @param {...string} parts */
export const stateDir = (...parts) => {
  const dir = join(STATE, ...parts);
  mkdirSync(dir, { recursive: true });
  return dir;
};
