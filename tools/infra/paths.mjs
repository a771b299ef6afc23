import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Finds the root folder by its files, because the build copies these tools to `dist` too. */
const topOf = (folder) => {
  if (existsSync(join(folder, 'package-lock.json'))) return folder;
  if (dirname(folder) === folder) throw new Error('package-lock.json is in none of the folders up');
  return topOf(dirname(folder));
};

/** The root folder of the checkout. */
export const ROOT = topOf(dirname(fileURLToPath(import.meta.url)));

/** Everything a run leaves behind: data folders, jars, logs, certificate, secrets. Git-ignored. */
export const STATE = join(ROOT, '.state');

/** The path of a folder below `.state`, created when missing. @param {...string} parts */
export const stateDir = (...parts) => {
  const dir = join(STATE, ...parts);
  mkdirSync(dir, { recursive: true });
  return dir;
};
