import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The build copies these tools to `dist` too, so the top is found by what lies there. */
const topOf = (folder) => {
  if (existsSync(join(folder, 'package-lock.json'))) return folder;
  if (dirname(folder) === folder) throw new Error('package-lock.json is in none of the folders up');
  return topOf(dirname(folder));
};

/** The top of the checkout. */
export const ROOT = topOf(dirname(fileURLToPath(import.meta.url)));

/** Everything a run leaves behind: data folders, jars, logs, certificate, secrets. Git-ignored. */
export const STATE = join(ROOT, '.state');

/** A folder below `.state`, made when missing. @param {...string} parts */
export const stateDir = (...parts) => {
  const dir = join(STATE, ...parts);
  mkdirSync(dir, { recursive: true });
  return dir;
};
