import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { stateDir } from './paths.mjs';
import { sleep } from './processes.mjs';

/** @param {string} dir @returns {boolean} whether the holder of the lock has ended */
const isStale = (dir) => {
  try {
    const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // The lock is free only for ESRCH: its process has ended. EPERM means that its process runs as
    // another user, and ENOENT that its process has not written its id yet.
    return error.code === 'ESRCH';
  }
};

const acquire = async (dir) => {
  for (;;) {
    try {
      mkdirSync(dir);
      writeFileSync(join(dir, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale(dir)) rmSync(dir, { recursive: true, force: true });
    else await sleep(200);
  }
};

/**
 * Runs `work` while no other process of this checkout runs work with this name. For example, a demo
 * and a test run that start together do not install at the same time.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const withLock = async (name, work) => {
  const dir = join(stateDir('locks'), name);
  await acquire(dir);
  try {
    return await work();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

/**
 * @param {string} name
 * @returns {number | null} the id of the process that has this lock; null if no process has it
 */
export const holderOf = (name) => {
  const file = join(stateDir('locks'), name, 'pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return pid > 0 ? pid : null;
};

/**
 * Acquires a lock until this process ends, or returns immediately. `taken`: a live process has the
 * lock. `inherited`: the last owner was killed, and processes that it started may still be ending.
 */
export const claim = (name) => {
  const dir = join(stateDir('locks'), name);
  let found = 'fresh';
  if (existsSync(dir)) {
    if (!isStale(dir)) return 'taken';
    rmSync(dir, { recursive: true, force: true });
    found = 'inherited';
  }
  mkdirSync(dir);
  writeFileSync(join(dir, 'pid'), String(process.pid));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  return found;
};
