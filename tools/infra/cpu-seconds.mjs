import { readdirSync, readFileSync } from 'node:fs';

/** The unit of CPU time in /proc is a tick of a hundredth of a second. */
const TICKS_PER_SECOND = 100;

/**
 * @param {string} pid
 * @returns {string[]} the fields after the command's name in /proc/PID/stat; empty if the process
 *   has ended
 */
const statOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
    throw error;
  }
};

/** The CPU seconds of a process and of its ended children: fields 14 to 17 of /proc/PID/stat. */
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
