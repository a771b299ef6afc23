/**
 * Ends the processes that the parent process has started when the parent ends. The watchdog's
 * standard input closes at the parent's end, even after SIGKILL. The watchdog has a separate
 * session, so that Ctrl-C in the terminal does not end it. It reads lines from standard input. `+
 * <pid> <signal>` adds a process and the signal that ends it, `- <pid>` removes a process, and `d
 * <folder>` adds a folder to delete.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const GRACE_MS = 8_000;
/** @type {Map<number, NodeJS.Signals>} */
const watched = new Map();
/** @type {Set<string>} */
const folders = new Set();

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether the process still ran
 */
const send = (pid, signal) => {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // ESRCH: the process has already ended.
  }
};

const endAll = async () => {
  for (const [pid, signal] of watched) send(pid, signal);
  const deadlineMs = Date.now() + GRACE_MS;
  const alive = () => [...watched.keys()].some((pid) => send(pid, 0));
  while (alive() && Date.now() < deadlineMs) await new Promise((done) => setTimeout(done, 50));
  // Signals the process group of each child, so that the child's own children end, too.
  for (const pid of watched.keys()) send(-pid, 'SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, ...rest] = line.split(' ');
  if (verb === '+') watched.set(Number(rest[0]), /** @type {NodeJS.Signals} */ (rest[1]));
  if (verb === '-') watched.delete(Number(rest[0]));
  if (verb === 'd') folders.add(rest.join(' '));
}
await endAll();
