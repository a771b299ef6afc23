import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the checkout. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Everything a run leaves behind: data folders, jars, logs, certificate, secrets. Git-ignored. */
export const STATE = join(ROOT, '.state');

/** A folder below `.state`, made when missing. @param {...string} parts */
export const stateDir = (...parts) => {
  const dir = join(STATE, ...parts);
  mkdirSync(dir, { recursive: true });
  return dir;
};
