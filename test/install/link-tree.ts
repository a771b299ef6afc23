import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';

/** Creates a hard link to a file, or a copy if the link would cross file systems. */
const linkFile = (source: string, target: string): void => {
  try {
    linkSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(source, target);
  }
};

/**
 * Copies a file or folder by hard links, so only for files that are not changed. Symbolic links
 * stay as they are.
 */
export const linkTree = (source: string, target: string): void => {
  const kind = lstatSync(source);
  if (kind.isDirectory()) {
    mkdirSync(target, { recursive: true });
    for (const name of readdirSync(source)) linkTree(join(source, name), join(target, name));
    return;
  }
  mkdirSync(join(target, '..'), { recursive: true });
  rmSync(target, { force: true });
  if (kind.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else linkFile(source, target);
};
