import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Failure } from './failure.mjs';
import { postgresHome } from './install.mjs';
import { ROOT, stateDir } from './paths.mjs';

/** @param {string} flag */
const idOf = (flag) => {
  const found = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  return found.status === 0 ? Number(found.stdout) : undefined;
};

/**
 * The user as whom PostgreSQL runs. PostgreSQL refuses to run as root, so if this process runs as
 * root, the server runs as the user `postgres`, who is created if missing. Otherwise the server
 * runs as the current user.
 * @returns {{ uid?: number, gid?: number }}
 */
export const postgresUser = () => {
  if (process.getuid?.() !== 0) return {};
  if (idOf('-u') === undefined) {
    spawnSync('groupadd', ['--system', 'postgres']);
    spawnSync('useradd', ['--system', '-g', 'postgres', '--no-create-home', 'postgres']);
  }
  const uid = idOf('-u');
  const gid = idOf('-g');
  if (uid === undefined || gid === undefined) {
    throw new Failure(
      'PostgreSQL cannot run as root, and the user `postgres` could not be created: ' +
        'create that user (`useradd postgres`), run this command as another user, or set DATABASE_URL.',
    );
  }
  return { uid, gid };
};

/** @param {string} dir @param {{ uid?: number, gid?: number }} user */
const canEnter = (dir, user) =>
  user.uid === undefined || spawnSync('test', ['-x', dir], { ...user, cwd: '/' }).status === 0;

/**
 * The folder for PostgreSQL's data, in `.state`. If the user `postgres` may not enter the checkout
 * (for example below `/root`), the folder is in the system's temporary folder, and each checkout
 * has a separate one.
 * @param {{ uid?: number, gid?: number }} user
 */
const reachableBase = (user) => {
  const inside = stateDir('postgres');
  if (canEnter(inside, user)) return inside;
  const name = `payment-orchestrator-${createHash('sha256').update(ROOT).digest('hex').slice(0, 12)}`;
  const outside = join(tmpdir(), name);
  mkdirSync(outside, { recursive: true, mode: 0o755 });
  const found = lstatSync(outside);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Failure(
      `${outside} belongs to another user: delete it, or set TMPDIR to another folder.`,
    );
  }
  return outside;
};

/** @param {{ uid?: number, gid?: number }} user @param {string} dir */
const ownFolder = (user, dir) => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(dir, user.uid, user.gid);
  return dir;
};

/** @param {{ uid?: number, gid?: number }} user @param {string} name */
export const postgresFolder = (user, name) => ownFolder(user, join(reachableBase(user), name));

const MEMORY = '/dev/shm';
/**
 * The free memory in bytes that a data folder in memory requires. The databases of the whole suite
 * use less.
 */
const ROOM_BYTES = 4 * 1_024 ** 3;

/**
 * A data folder in memory, for data that may be lost. Copying a database with its thousand files
 * takes half as long as on disk. The folder is on disk if the machine has no file system in memory,
 * or too little free memory.
 * @param {{ uid?: number, gid?: number }} user
 * @param {string} name
 */
export const memoryFolder = (user, name) => {
  if (!existsSync(MEMORY)) return postgresFolder(user, name);
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < ROOM_BYTES) return postgresFolder(user, name);
  return ownFolder(user, join(MEMORY, `postgres-${name}`));
};

/**
 * The folder with PostgreSQL's programs: the folder of the npm package, or a copy of it if the
 * server's user may not enter the package's folder.
 * @param {{ uid?: number, gid?: number }} user
 */
export const postgresPrograms = (user) => {
  const home = postgresHome();
  if (!existsSync(join(home, 'bin', 'postgres'))) {
    throw new Failure(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} ` +
        'in node_modules: run `npm ci`, or set DATABASE_URL to a server of your own.',
    );
  }
  if (canEnter(join(home, 'bin'), user)) return home;
  // The programs are copied into a folder whose name contains their version. The copy is renamed to
  // this name only when it is complete.
  const { version } = JSON.parse(readFileSync(join(home, '..', 'package.json'), 'utf8'));
  const copy = join(reachableBase(user), `programs-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    cpSync(home, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, copy);
  }
  return copy;
};

/**
 * The path of a server's data folder, which may not exist yet. @param {string} name of its folder
 */
export const postgresData = (name) => join(postgresFolder(postgresUser(), name), 'data');
