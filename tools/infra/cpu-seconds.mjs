import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in ticks of a hundredth of a second. */
const TICKS_PER_SECOND = 100;

/** @param {string} pid @returns {string[]} the fields behind the command's name; empty once it ended */
const statOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
    throw error;
  }
};

/**
 * Sums the CPU time of the process (user, system) and of its ended children: fields 14 to 17 of
 * proc(5).
 */
const secondsIn = (stat) =>
  stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;

/** @type {typeof import('./cpu-seconds.mjs').cpuSecondsOfTree} */
export const cpuSecondsOfTree = (root) => {
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter(Number) : [];
  const stats = new Map(pids.map((pid) => [pid, statOf(pid)]));
  const below = (pid) => {
    const children = pids.filter((child) => stats.get(child)?.[1] === pid);
    return children.reduce((sum, child) => sum + below(child), secondsIn(stats.get(pid) ?? []));
  };
  return below(String(root));
};
