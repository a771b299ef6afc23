import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Finds the root of the checkout by its package-lock.json. A fixed relative path would be wrong,
 * because this module also runs as a copy in `dist`.
 */
const topOf = (folder) => {
  if (existsSync(join(folder, 'package-lock.json'))) return folder;
  if (dirname(folder) === folder)
    throw new Error(
      'package-lock.json was not found in any parent folder; run the tool inside the checkout',
    );
  return topOf(dirname(folder));
};

export const ROOT = topOf(dirname(fileURLToPath(import.meta.url)));

/**
 * The folder for data, Java libraries, logs, certificate and secrets of all runs. Git ignores it.
 */
export const STATE = join(ROOT, '.state');

/** The path of a folder below `.state`, created when missing. @param {...string} parts */
export const stateDir = (...parts) => {
  const dir = join(STATE, ...parts);
  mkdirSync(dir, { recursive: true });
  return dir;
};
